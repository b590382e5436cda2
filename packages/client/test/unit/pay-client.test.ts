import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createPayClient,
  type PayClientOptions,
  TillgateApiError,
  TillgateConnectionError,
  TillgateResponseError,
} from "../../src/index.js";
import {
  brokenConnection,
  errorReply,
  json,
  type LocalApi,
  orderOf,
  orderReply,
  refundOf,
  startLocalApi,
} from "./local-api.js";

const SECRET = "sk_sandbox_3f9a71c2d4e5f60718293a4b5c6d7e8f";

let api: LocalApi;
beforeEach(async () => {
  api = await startLocalApi();
});
afterEach(() => api.close());

const client = (options: Partial<PayClientOptions> = {}) =>
  createPayClient({
    baseUrl: api.url,
    mode: "sandbox",
    clientId: "ci_demo",
    clientSecret: SECRET,
    retryDelayMs: 1,
    ...options,
  });

const failure = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("the call should have failed");
};

const headerKeys = () => api.seen.map(({ headers }) => headers["idempotency-key"]);
const keys = () => api.seen.map((request) => JSON.parse(request.body).idempotency_key);

describe("requests", () => {
  it("use the base path of the mode and Basic credentials", async () => {
    api.replies.push(orderReply());
    await client().orders.get("POS-20261121-ABC234");
    // Live clients call only https, so this fetch redirects the call to the local API.
    const toLocalApi: typeof fetch = (address, init) =>
      fetch(String(address).replace("https://api.example", api.url), init);
    await client({ mode: "live", baseUrl: "https://api.example/", fetch: toLocalApi }).orders.get("a/b");
    expect(api.seen.map((request) => request.url)).toEqual([
      "/pay/sandbox/api/v1/orders/POS-20261121-ABC234",
      "/pay/api/v1/orders/a%2Fb",
    ]);
    const basic = `Basic ${Buffer.from(`ci_demo:${SECRET}`).toString("base64")}`;
    expect(api.seen.map(({ headers }) => headers.authorization)).toEqual([basic, basic]);
  });

  it("send list filters and return orders and refunds with their pagination", async () => {
    const pagination = { current_page: 2, per_page: 5, total: 6, last_page: 2 };
    const message = { success: ["Retrieved"] };
    api.replies.push(json(200, { message, data: { orders: [orderOf()], pagination, next_cursor: null } }));
    api.replies.push(json(200, { message, data: { refunds: [refundOf()], pagination, next_cursor: null } }));
    const orders = await client().orders.list({ status: "PAID", page: 2, per_page: 5 });
    const refunds = await client().refunds.list({ transaction_id: "TRX-123456789012" });
    expect(orders.orders[0]?.order_id).toBe("POS-20261121-ABC234");
    expect(refunds.refunds[0]?.refund_id).toBe("RF-20261121-ABC234");
    expect([orders.pagination, refunds.pagination]).toEqual([pagination, pagination]);
    expect(api.seen.map((request) => request.url)).toEqual([
      "/pay/sandbox/api/v1/orders?status=PAID&page=2&per_page=5",
      "/pay/sandbox/api/v1/refunds?transaction_id=TRX-123456789012",
    ]);
  });

  it("create and get refunds", async () => {
    api.replies.push(json(200, { message: { success: ["Refund created successfully"] }, data: refundOf() }));
    const created = await client().refunds.create({ transaction_id: "TRX-123456789012", amount: "10.00" });
    expect((await client().refunds.get(created.refund_id)).raw_amount).toBe(10);
    expect(api.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /pay/sandbox/api/v1/refunds",
      "GET /pay/sandbox/api/v1/refunds/RF-20261121-ABC234",
    ]);
  });
});

describe("orders.simulate", () => {
  it("sends the outcome for the order, and retries, because repeating the call is safe", async () => {
    api.replies.push(errorReply(503, "Down"), orderReply());
    await client().orders.simulate("POS-20261121-ABC234", "paid");
    expect(api.seen.map(({ method, url, body }) => [method, url, body])).toEqual(
      Array(2).fill([
        "POST",
        "/pay/sandbox/api/v1/orders/POS-20261121-ABC234/simulate",
        '{"outcome":"paid"}',
      ]),
    );
  });
});

describe("idempotency keys", () => {
  it("are reused for every retry of a create call", async () => {
    api.replies.push(errorReply(500, "Server error"), brokenConnection, orderReply());
    await client().orders.create({ amount: "41.50", currency: "EUR" });
    expect(keys()).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(api.seen.map((request) => request.body)).size).toBe(1);
  });

  it("differ between two create calls", async () => {
    api.replies.push(orderReply());
    await client().orders.create({ amount: "41.50", currency: "EUR" });
    await client().orders.create({ amount: "41.50", currency: "EUR" });
    expect(new Set(keys()).size).toBe(2);
  });

  it("are taken from the caller when given", async () => {
    api.replies.push(orderReply());
    await client().orders.create({ amount: "41.50", currency: "EUR", idempotency_key: "mine" });
    expect(keys()).toEqual(["mine"]);
  });
});

describe("retries", () => {
  it("stop at the configured number and throw the last error", async () => {
    api.replies.push(errorReply(503, "Down", { "x-request-id": "req-1" }));
    const error = await failure(client({ maxRetries: 3 }).orders.get("x"));
    expect(error).toBeInstanceOf(TillgateApiError);
    expect(error).toMatchObject({ status: 503, messages: ["Down"], requestId: "req-1", attempts: 4 });
    expect(api.seen).toHaveLength(4);
  });

  it("wait for Retry-After", async () => {
    api.replies.push(errorReply(429, "Too many requests", { "retry-after": "1" }), orderReply());
    const started = performance.now();
    await client().orders.get("x");
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  it("are skipped when Retry-After exceeds the longest delay", async () => {
    api.replies.push(errorReply(429, "Too many requests", { "retry-after": "3600" }));
    const error = await failure(client().orders.get("x"));
    expect(error).toMatchObject({ status: 429, retryAfterMs: 3_600_000, attempts: 1 });
    expect(api.seen).toHaveLength(1);
  });

  it("are skipped for a 422 error", async () => {
    api.replies.push(errorReply(422, "Only pending orders can be cancelled"));
    await failure(client().orders.cancel("x"));
    expect(api.seen).toHaveLength(1);
  });

  it("of a cancellation return the cancelled order if the response to the first attempt was lost", async () => {
    const alreadyCancelled = errorReply(422, "Only pending orders can be cancelled");
    api.replies.push(brokenConnection, alreadyCancelled, orderReply({ status: "CANCELLED" }));
    expect((await client().orders.cancel("x")).status).toBe("CANCELLED");
  });

  it("of a cancellation throw the API's error if the order was paid first", async () => {
    const alreadyPaid = errorReply(422, "Only pending orders can be cancelled");
    api.replies.push(brokenConnection, alreadyPaid, orderReply({ status: "PAID" }));
    expect(await failure(client().orders.cancel("x"))).toMatchObject({ status: 422 });
  });
});

describe("errors", () => {
  it("list the invalid fields of a validation error", async () => {
    const errors = { amount: ["The amount field is required"] };
    const message = { code: 400, error: ["The amount field is required"] };
    api.replies.push(json(400, { message, data: [], type: "error", errors }));
    expect(await failure(client().orders.create({ amount: "", currency: "EUR" }))).toMatchObject({
      status: 400,
      fieldErrors: errors,
    });
  });

  it("report a timeout when no response arrives in time and the request is aborted", async () => {
    let aborted = 0;
    api.replies.push((response) => {
      response.on("close", () => {
        aborted += 1;
      });
    });
    const error = await failure(client({ timeoutMs: 50, maxRetries: 1 }).orders.get("x"));
    expect(error).toBeInstanceOf(TillgateConnectionError);
    expect(error).toMatchObject({ reason: "timeout", attempts: 2 });
    await expect.poll(() => aborted).toBe(2);
  });

  it("report a timeout when a response starts but never ends", async () => {
    api.replies.push((response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"message":');
    });
    const error = await failure(client({ timeoutMs: 50, maxRetries: 0 }).orders.get("x"));
    expect(error).toMatchObject({ reason: "timeout" });
  });

  it("report a network error when no server is listening", async () => {
    const error = await failure(client({ baseUrl: "http://127.0.0.1:1", maxRetries: 0 }).orders.get("x"));
    expect(error).toMatchObject({ name: "TillgateConnectionError", reason: "network" });
  });

  it("report an abort between attempts without waiting for the retry", async () => {
    api.replies.push(errorReply(503, "Down", { "retry-after": "20" }));
    const signal = AbortSignal.timeout(100);
    expect(await failure(client().orders.get("x", { signal }))).toMatchObject({ reason: "aborted" });
  });

  it("report a response that does not match the contract", async () => {
    api.replies.push((response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>");
    });
    expect(await failure(client().orders.get("x"))).toBeInstanceOf(TillgateResponseError);
    api.replies.splice(0, 1, orderReply({ status: "SHIPPED" }));
    const error = await failure(client().orders.get("x"));
    expect(error).toBeInstanceOf(TillgateResponseError);
    expect(String(error)).toContain("data.status");
  });

  it("are thrown for a redirect, which is not followed, so that its target receives no credentials", async () => {
    api.replies.push((response) => {
      response.writeHead(302, { location: `${api.url}/elsewhere` }).end();
    });
    expect(await failure(client().orders.get("x"))).toMatchObject({
      name: "TillgateResponseError",
      status: 302,
    });
    expect(api.seen).toHaveLength(1);
  });

  it("do not contain the secret, even when a response repeats it, and neither does the printed client", async () => {
    const credentials = Buffer.from(`ci_demo:${SECRET}`).toString("base64");
    api.replies.push(errorReply(400, `bad ${SECRET} in ${credentials}`));
    const rejection = await failure(client().orders.create({ amount: "1", currency: "EUR" }));
    api.replies.splice(0, 1, brokenConnection);
    const broken = await failure(client({ maxRetries: 0 }).orders.get("x"));
    for (const error of [rejection, broken, client()]) {
      const text = inspect(error, { depth: 10, showHidden: true });
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(credentials);
    }
  });
});

describe("options", () => {
  it.each([
    [{ baseUrl: "localhost:4000" }, /baseUrl/],
    [{ baseUrl: "https://api.example/pay/api/v1" }, /baseUrl must not have a path/],
    [{ baseUrl: "https://api.example/v1/" }, /baseUrl must not have a path/],
    [{ mode: "live" as const, baseUrl: "http://api.example" }, /baseUrl must be an https URL in live mode/],
    [
      { mode: "live" as const, baseUrl: "http://127.0.0.1:4000" },
      /baseUrl must be an https URL in live mode/,
    ],
    [{ baseUrl: "http://user:pass@localhost" }, /baseUrl/],
    [{ clientId: "a:b" }, /clientId/],
    [{ clientSecret: "" }, /clientSecret/],
    [{ maxRetries: 11 }, /maxRetries/],
    [{ timeoutMs: 0 }, /timeoutMs/],
  ])("are rejected with their name if they are invalid: %j", (options, text) => {
    expect(() => client(options)).toThrow(text);
  });
});

describe("idempotency keys", () => {
  const order = { amount: "41.50", currency: "EUR" } as const;

  it("are sent in body and header, unchanged across the retries of a 503", async () => {
    api.replies.push(
      errorReply(503, "The service is temporarily unavailable. Try again shortly.", { "retry-after": "0" }),
      errorReply(503, "The service is temporarily unavailable. Try again shortly.", { "retry-after": "0" }),
      orderReply(),
    );
    await client().orders.create(order);
    expect(api.seen).toHaveLength(3);
    expect(new Set([...keys(), ...headerKeys()]).size).toBe(1);
  });

  it("can be passed as an option, and are sent in the body but not in the header if a header cannot contain them", async () => {
    api.replies.push(orderReply());
    await client().orders.create(order, { idempotencyKey: "cart 7" });
    await client().orders.create({ ...order, idempotency_key: "корзина-7" });
    expect(keys()).toEqual(["cart 7", "корзина-7"]);
    expect(headerKeys()).toEqual(["cart 7", undefined]);
  });

  it("are rejected before any request if they are empty or contradictory", async () => {
    const { orders, refunds } = client();
    const mistakes = [
      () => orders.create({ ...order, idempotency_key: "" }),
      () => orders.create(order, { idempotencyKey: "" }),
      () => refunds.create({ transaction_id: "TRX-1", idempotency_key: "a" }, { idempotencyKey: "b" }),
    ];
    for (const mistake of mistakes) expect(await failure(mistake())).toBeInstanceOf(TypeError);
    expect(api.seen).toEqual([]);
  });
});

it("API errors have the error code and the invalid field of the response, or null", async () => {
  api.replies.push(
    json(404, {
      message: { code: 404, error: ["Transaction not found"] },
      data: [],
      type: "error",
      error_code: "transaction_not_found",
      param: "transaction_id",
    }),
  );
  const rejection = await failure(client().refunds.create({ transaction_id: "TRX-1" }));
  expect(rejection).toMatchObject({
    errorCode: "transaction_not_found",
    param: "transaction_id",
    status: 404,
  });
  api.replies.splice(0, api.replies.length, errorReply(404, "Order not found"));
  expect(await failure(client().orders.get("x"))).toMatchObject({ errorCode: null, param: null });
});
