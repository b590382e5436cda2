import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { testWebhookResponseSchema, webhookEventSchema } from "@tillgate/contract";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rotateCredential } from "../../../src/identity/credentials/manage.js";
import { type FaultServer, type ReceivedWebhook, startFaultServer } from "../../support/fault-server.js";
import { addLiveCredential, type ClientCredentials } from "../../support/parties.js";
import { type ApiResponse, errorOf, fieldError, type PayApi, payApi } from "../../support/requests.js";
import { countRows } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

let receiver: FaultServer;
let live: ClientCredentials;

const { sandbox, server } = await createTestApi({
  environment: { TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow", TILLGATE_DELIVERY_TIMEOUT_MS: "1500" },
});
beforeAll(async () => {
  receiver = await startFaultServer();
  live = await addLiveCredential(sandbox, sandbox.access.merchant.client_id);
});
afterAll(() => receiver.close());

/** Resets the shared rate limit; counters in process memory stay. */
const resetLimits = () => sandbox.database.pool.query("DELETE FROM rate_limits");
const merchant = (api = server): PayApi => payApi(api, sandbox.access.merchant);

async function sendTest(callback_url: string, api = merchant()) {
  await resetLimits();
  return readTestResult(await api.post("/webhooks/test", { callback_url }));
}

function readTestResult({ status, body, text }: ApiResponse) {
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = testWebhookResponseSchema
    .extend({ data: testWebhookResponseSchema.shape.data.strict() })
    .strict()
    .parse(body);
  expect(response.message).toEqual({ success: ["Test event sent"] });
  return response.data;
}

function verifies({ body, headers }: ReceivedWebhook, secret: string): boolean {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  try {
    new Webhook(secret, { format: "raw" }).verify(String(body), signed);
    return true;
  } catch {
    return false;
  }
}

describe("POST /webhooks/test", () => {
  it("sends one valid event signed with the caller's client secret, and stores nothing", async () => {
    const before = await countRows(sandbox);
    const { latency_ms, ...result } = await sendTest(receiver.urlOf("/ok?once"));
    expect(result).toEqual({ delivered: true, http_status: 200, error: null, location: null });
    expect(latency_ms).toBeGreaterThanOrEqual(0);
    const [got, ...more] = receiver.requestsTo("/ok?once");
    if (!got) throw new Error("the receiver got no webhook");
    expect(more).toEqual([]);
    const { client_secret } = sandbox.access.merchant;
    expect(verifies(got, client_secret)).toBe(true);
    expect(verifies(got, sandbox.access.other_merchant.client_secret)).toBe(false);
    expect(got.headers["x-tillgate-signature"]).toBe(
      `sha256=${createHmac("sha256", client_secret).update(got.body).digest("hex")}`,
    );
    expect(got.headers["x-tillgate-event"]).toBe("tillgate.test");
    const event = webhookEventSchema.parse(JSON.parse(String(got.body)));
    expect(event).toMatchObject({ id: got.headers["webhook-id"], event: "tillgate.test" });
    expect(await countRows(sandbox)).toEqual(before);
  });

  it("signs with both secrets during a rotation; X-Tillgate-Signature uses the caller's secret", async () => {
    const { client_id, client_secret } = sandbox.access.other_merchant;
    const { id } = await sandbox.database.prisma.credential.findFirstOrThrow({
      where: { clientId: client_id },
    });
    const { secret } = await rotateCredential(server.context, { credentialId: id });
    await sendTest(receiver.urlOf("/ok?rotated"), payApi(server, { client_id, client_secret: secret }));
    const [got] = receiver.requestsTo("/ok?rotated");
    if (!got) throw new Error("the receiver got no webhook");
    expect([verifies(got, client_secret), verifies(got, secret)]).toEqual([true, true]);
    expect(got.headers["x-tillgate-signature"]).toBe(
      `sha256=${createHmac("sha256", secret).update(got.body).digest("hex")}`,
    );
  });

  it.each([
    ["/500", { delivered: false, http_status: 500, error: "status" }],
    ["/html", { delivered: false, http_status: 404, error: "status" }],
    ["/redirect", { delivered: false, http_status: 307, error: "redirect" }],
    ["/hang", { delivered: false, http_status: null, error: "timeout" }],
    ["/reset", { delivered: false, http_status: null, error: "connection" }],
  ])("reports why the delivery to %s failed, and doesn't retry it", async (path, expected) => {
    expect(await sendTest(receiver.urlOf(`${path}?told`))).toMatchObject(expected);
    expect(receiver.requestsTo(`${path}?told`)).toHaveLength(1);
  });

  it("reports an unresolvable host, a refused connection and a failed TLS handshake", async () => {
    expect(await sendTest("http://nobody.invalid/hook")).toMatchObject({ delivered: false, error: "dns" });
    expect(await sendTest("http://127.0.0.1:1024/hook")).toMatchObject({
      http_status: null,
      error: "connection",
    });
    const https = receiver.urlOf("/ok?tls").replace("http:", "https:");
    expect(await sendTest(https)).toMatchObject({ delivered: false, http_status: null, error: "tls" });
  });

  it("reports a web page with status 200 as not delivered", async () => {
    const page = createServer((_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("\n<!-- theme -->\n<!DOCTYPE html><title>Sign in</title>"),
    );
    await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
    const bound = page.address();
    if (bound === null || typeof bound === "string") throw new Error("the page has no port");
    expect(await sendTest(`http://127.0.0.1:${bound.port}/`)).toMatchObject({
      delivered: false,
      http_status: 200,
      error: "html_answer",
    });
    page.closeAllConnections();
    page.close();
  });

  it("reports the target of a redirect", async () => {
    expect(await sendTest(receiver.urlOf("/redirect"))).toMatchObject({
      delivered: false,
      error: "redirect",
      location: receiver.urlOf("/ok"),
    });
    expect(await sendTest(receiver.urlOf("/ok"))).toMatchObject({ delivered: true, location: null });
  });

  it("does not send to private addresses, or over plain HTTP in live mode", async () => {
    const guarded = await sandbox.startApi();
    for (const address of [receiver.urlOf("/ok?private"), "http://169.254.169.254/latest", "http://[::1]/"])
      expect(await sendTest(address, merchant(guarded))).toMatchObject({
        delivered: false,
        http_status: null,
        error: "refused_address",
      });
    expect(await sendTest(receiver.urlOf("/ok?private"), payApi(server, live, "live"))).toMatchObject({
      error: "refused_address",
    });
    expect(receiver.requestsTo("/ok?private")).toEqual([]);
  });
});

describe("POST /webhooks/test limits", () => {
  it("do not count requests with an invalid URL", async () => {
    await resetLimits();
    const wrong = "must be an absolute http or https URL without credentials";
    for (const [callback_url, rest] of [
      [undefined, "is required"],
      [null, "is required"],
      ["", "is required"],
      [7, "must be text"],
      ["ftp://shop.example/", wrong],
      ["https://user:secret@shop.example/", wrong],
      [`https://shop.example/${"x".repeat(2048)}`, "must not be longer than 2048 characters"],
    ])
      expect(errorOf(await merchant().post("/webhooks/test", { callback_url }))).toEqual(
        fieldError("callback_url", String(rest)),
      );
    for (let i = 0; i < 10; i++)
      readTestResult(await merchant().post("/webhooks/test", { callback_url: "http://127.0.0.1:1024/" }));
  });

  it("allow ten test events a minute per merchant and mode across processes, and return Retry-After above that", async () => {
    await resetLimits();
    const [first, second] = [await sandbox.startApi(), await sandbox.startApi()];
    const request = (api: PayApi) => api.post("/webhooks/test", { callback_url: "http://169.254.1.1/" });
    const responses = [];
    for (let i = 0; i < 5; i++)
      responses.push(await request(merchant(first)), await request(merchant(second)));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const rejected = await request(merchant(first));
    expect(errorOf(rejected)).toEqual({ status: 429, texts: ["Too many requests"] });
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(rejected.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(rejected.headers.get("ratelimit-policy")).toBe("10;w=60");
    expect((await request(payApi(second, sandbox.access.other_merchant))).status).toBe(200);
    expect((await request(payApi(second, live, "live"))).status).toBe(200);
  });
});
