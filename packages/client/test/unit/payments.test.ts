import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPayClient, TillgateApiError } from "../../src/index.js";
import { errorReply, json, type LocalApi, type Reply, startLocalApi } from "./local-api.js";

const SECRET = "tgs_test_3f9a71c2d4e5f60718293a4b5c6d7e8f";
const INPUT = {
  amount: "41.50",
  currency: "EUR",
  return_url: "https://shop.example/thanks",
  product_name: "Tea",
  order_number: "77",
};

let api: LocalApi;
beforeEach(async () => {
  api = await startLocalApi();
});
afterEach(async () => {
  vi.useRealTimers();
  await api.close();
});

const client = () =>
  createPayClient({
    baseUrl: api.url,
    mode: "sandbox",
    clientId: "ci",
    clientSecret: SECRET,
    retryDelayMs: 1,
  });

const success = (data: unknown): Reply =>
  json(200, { message: { code: 200, success: ["SUCCESS"] }, data, type: "success" });
const token = (name: string) => success({ access_token: name, expire_time: 600 });
const created = success({ token: "p1", payment_url: "https://pay.example/pay/p1" });

/** Responds to requests for a token with these tokens in turn, and to all other requests with `reply`. */
function answer(reply: Reply, tokens = ["t1", "t2", "t3"]): void {
  let next = 0;
  api.replies.push((response, request) => {
    if (request.url.endsWith("/authentication/token")) token(tokens[next++] ?? "none")(response, request);
    else reply(response, request);
  });
}

const paths = () => api.seen.map(({ url }) => url.replace("/pay/sandbox/api/v1", ""));

describe("payments", () => {
  it("share one access token between concurrent calls and reuse it", async () => {
    answer(created);
    const tillgate = client();
    await Promise.all([tillgate.payments.create(INPUT), tillgate.payments.create(INPUT)]);
    await tillgate.payments.create(INPUT);
    expect(paths().filter((path) => path === "/authentication/token")).toHaveLength(1);
    expect(api.seen.at(-1)?.headers.authorization).toBe("Bearer t1");
    expect(JSON.parse(api.seen[0]?.body ?? "")).toEqual({ client_id: "ci", secret_id: SECRET });
  });

  it("are each created with a different idempotency key", async () => {
    answer(created);
    const tillgate = client();
    await tillgate.payments.create(INPUT);
    await tillgate.payments.create(INPUT);
    const keys = api.seen.slice(1).map(({ body }) => JSON.parse(body).idempotency_key);
    expect(new Set(keys).size).toBe(2);
  });

  it("renew the token a minute before it expires", async () => {
    answer(created);
    const tillgate = client();
    vi.useFakeTimers({ toFake: ["Date"] });
    await tillgate.payments.create(INPUT);
    vi.setSystemTime(Date.now() + 539_000);
    await tillgate.payments.create(INPUT);
    expect(api.seen.at(-1)?.headers.authorization).toBe("Bearer t1");
    vi.setSystemTime(Date.now() + 2_000);
    await tillgate.payments.create(INPUT);
    expect(api.seen.at(-1)?.headers.authorization).toBe("Bearer t2");
  });

  it("fetch a new token once when the API rejects the cached token, and resend the same body", async () => {
    answer((response, request) =>
      (request.headers.authorization === "Bearer t1"
        ? errorReply(403, "Requested with invalid token!")
        : created)(response, request),
    );
    await expect(client().payments.create(INPUT)).resolves.toMatchObject({ token: "p1" });
    const bodies = api.seen.filter(({ url }) => url.endsWith("/payment/create")).map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toBe(bodies[1]);
  });

  it("reject with the API's error if the renewed access token is also rejected", async () => {
    answer(errorReply(403, "Requested with invalid token!"));
    await expect(client().payments.create(INPUT)).rejects.toMatchObject({ status: 403 });
    expect(paths()).toHaveLength(4);
  });

  it("can be aborted while they wait for a token, without aborting the request shared with other calls", async () => {
    let issue = () => {};
    api.replies.push((response, request) => {
      if (!request.url.endsWith("/authentication/token")) return created(response, request);
      issue = () => token("t1")(response, request);
    });
    const tillgate = client();
    const caller = new AbortController();
    const aborted = tillgate.payments.create(INPUT, { signal: caller.signal });
    const other = tillgate.payments.create(INPUT);
    await expect.poll(paths).toEqual(["/authentication/token"]);
    caller.abort();
    await expect(aborted).rejects.toMatchObject({ name: "TillgateConnectionError", reason: "aborted" });
    issue();
    await expect(other).resolves.toMatchObject({ token: "p1" });
    expect(paths()).toEqual(["/authentication/token", "/payment/create"]);
  });

  it("send no request if they are aborted before they start", async () => {
    const call = client().payments.create(INPUT, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ reason: "aborted" });
    expect(paths()).toEqual([]);
  });

  it("throw the token endpoint's error for a wrong secret without exposing the secret", async () => {
    api.replies.push(errorReply(400, `Invalid secret ID ${SECRET}`));
    const error = await client()
      .payments.create(INPUT)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TillgateApiError);
    expect(String(error)).not.toContain(SECRET);
  });
});
