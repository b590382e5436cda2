import {
  consoleCredentialSecretResponseSchema,
  expireResponseSchema,
  MAX_BODY_BYTES,
  receiverSecretResponseSchema,
  receiverTestResponseSchema,
  TEST_RECEIVER_PATH,
  testControlListResponseSchema,
  testControlResponseSchema,
  testControlsClearedResponseSchema,
  testOrderResponseSchema,
} from "@tillgate/contract";
import { parseWhsecKey, signWebhook } from "@tillgate/webhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { createOrder, getOrder } from "../../support/orders.js";
import { errorCodeOf, errorOf, fieldError, payApi, send } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  type ConsoleClient,
  type ConsoleParties,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "./console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi({
  environment: { TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow" },
});
let parties: ConsoleParties;
let shop: ConsoleClient;
let otherShop: ConsoleClient;
beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  shop = merchantConsole(server, { user: parties.user, merchantId });
  otherShop = merchantConsole(server, { user: parties.otherUser, merchantId: parties.otherId });
});

const listControls = async (of: ConsoleClient = shop) =>
  dataOf(testControlListResponseSchema, await of.get("/test/controls")).controls;
const passTime = (id: string, moment: string, kind = "order", of: ConsoleClient = shop) =>
  of.post("/test/time", { kind, id, moment });

describe("test controls in the console", () => {
  it("apply to the merchant's API requests, not to another merchant's, and are cleared in one call", async () => {
    const created = dataOf(
      testControlResponseSchema,
      await shop.post("/test/controls", { control: "call_unavailable", count: 2 }),
    );
    expect(await listControls()).toEqual([created]);
    expect(await listControls(otherShop)).toEqual([]);
    expect((await api.get("/orders")).status).toBe(503);
    expect((await payApi(server, sandbox.access.other_merchant).get("/orders")).status).toBe(200);
    expect((await api.get("/test/controls")).body).toMatchObject({
      data: { controls: [{ ...created, left: 1 }] },
    });
    expect(dataOf(testControlsClearedResponseSchema, await otherShop.post("/test/controls/clear"))).toEqual({
      cleared: 0,
    });
    expect(dataOf(testControlsClearedResponseSchema, await shop.post("/test/controls/clear"))).toEqual({
      cleared: 1,
    });
    expect([(await api.get("/orders")).status, await listControls()]).toEqual([200, []]);
  });

  it("are rejected if a field is invalid, with an error that names the field", async () => {
    expect(errorOf(await shop.post("/test/controls", { control: "delivery_late", count: "two" }))).toEqual(
      fieldError("count", "must be a whole number from 1 to 100"),
    );
    expect(errorCodeOf(await passTime("x".repeat(65), "after_end")).param).toBe("id");
    expect(await listControls()).toEqual([]);
  });
});

describe("POST /test/time", () => {
  it("expires only the merchant's orders, or brings their expiry forward", async () => {
    const { order_id: id } = await createOrder(api);
    const foreign = await passTime(id, "after_end", "order", otherShop);
    expect([foreign.status, errorCodeOf(foreign).code]).toEqual([404, "nothing_that_ends"]);
    expect((await getOrder(api, id)).status).toBe("PENDING");
    const near = dataOf(expireResponseSchema, await passTime(id, "before_end"));
    expect(near).toEqual({ kind: "order", id, expires_at: (await getOrder(api, id)).expires_at });
    expect((await passTime(id, "after_end")).status).toBe(200);
    expect((await getOrder(api, id)).status).toBe("EXPIRED");
    expect(errorCodeOf(await passTime(id, "after_end")).code).toBe("nothing_that_ends");
  });

  it("ends the overlap of a rotated secret immediately, but only for the caller's merchant", async () => {
    const secretOf = async (path: string, fields: object) =>
      dataOf(consoleCredentialSecretResponseSchema, await shop.post(path, fields));
    const old = await secretOf("/credentials", { kind: "client" });
    const fresh = await secretOf(`/credentials/${old.credential_id}/rotate`, { overlap_seconds: 3_600 });
    const works = async ({ client_id, secret }: typeof old) =>
      (await payApi(server, { client_id: client_id ?? "", client_secret: secret }).get("/orders")).status;
    const id = old.client_id ?? "";
    expect(errorCodeOf(await passTime(id, "after_end", "credential", otherShop)).code).toBe(
      "nothing_that_ends",
    );
    expect([await works(old), await works(fresh)]).toEqual([200, 200]);
    expect((await passTime(id, "after_end", "credential")).status).toBe(200);
    expect([await works(old), await works(fresh)]).toEqual([401, 200]);
  });
});

describe("test routes in live mode", () => {
  it("are not served to owners or administrators", async () => {
    const { order_id: id } = await createOrder(api);
    for (const user of [parties.user, parties.administrator]) {
      const live = merchantConsole(server, { user, merchantId, mode: "live" });
      for (const [path, fields] of [
        ["/test/controls", { control: "call_unavailable" }],
        ["/test/controls/clear", {}],
        ["/test/time", { kind: "order", id, moment: "after_end" }],
        ["/test/orders", { currency: "EUR", idempotency_key: "live" }],
        [`/test/orders/${id}/pay`, {}],
      ] as const)
        for (const response of [await live.post(path, fields), await live.get(path)])
          expect([path, response.status, errorCodeOf(response).code]).toEqual([path, 404, "unknown_route"]);
    }
    expect([await listControls(), (await getOrder(api, id)).status]).toEqual([[], "PENDING"]);
  });
});

describe("POST /test/orders", () => {
  const make = (fields: object, of: ConsoleClient = shop) => of.post("/test/orders", fields);

  it("creates one order per idempotency key, which the test shopper can pay", async () => {
    const fields = { currency: "EUR", idempotency_key: "after none" };
    const { order_id: id } = dataOf(testOrderResponseSchema, await make(fields));
    expect(dataOf(testOrderResponseSchema, await make(fields)).order_id).toBe(id);
    expect(await getOrder(api, id)).toMatchObject({ status: "PENDING", amount: "10.00 EUR" });
    expect((await otherShop.post(`/test/orders/${id}/pay`)).status).toBe(404);
    for (const _press of [1, 2]) expect((await shop.post(`/test/orders/${id}/pay`)).status).toBe(200);
    expect((await getOrder(api, id)).status).toBe("PAID");
  });

  it("requires a wallet in the order's currency", async () => {
    for (const currency of ["JPY", "XXX"]) {
      const rejected = await make({ currency, idempotency_key: "none" });
      expect(errorCodeOf(rejected).param).toBe("currency");
    }
  });
});

describe("test receiver", () => {
  const addressOf = (merchant: string) => `${server.url}${TEST_RECEIVER_PATH}/${merchant}`;
  const receive = (address: string, sent: { headers: Record<string, string>; body: string }) =>
    send(address, { method: "POST", ...sent });

  it("accepts only genuine events of its merchant's endpoint", async () => {
    const address = addressOf(merchantId);
    const { receiver_id: id, secret } = dataOf(
      receiverSecretResponseSchema,
      await shop.post("/receivers", { address, events: ["pos.order.paid"] }),
    );
    const test = async () => dataOf(receiverTestResponseSchema, await shop.post(`/receivers/${id}/test`));
    expect(await test()).toMatchObject({ delivered: true, http_status: 200 });
    const body = JSON.stringify({ event: "pos.order.paid" });
    const signed = (key: string, bytes = body, timestampSeconds = Math.floor(Date.now() / 1_000)) => ({
      headers: {
        ...signWebhook({
          id: "evt_1",
          event: "pos.order.paid",
          timestampSeconds,
          body,
          keys: [parseWhsecKey(key)],
        }),
        "content-type": "application/json",
      },
      body: bytes,
    });
    const genuine = await receive(address, signed(secret));
    expect([genuine.status, genuine.body]).toEqual([200, { outcome: "received" }]);
    const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
    for (const [at, forged] of [
      [address, signed(other)],
      [address, signed(secret, `${body} `)],
      [address, signed(secret, body, 1_000_000_000)],
      [address, { headers: {}, body: "" }],
      [addressOf(parties.otherId), signed(secret)],
      [addressOf("nobody"), signed(secret)],
    ] as const)
      expect((await receive(at, forged)).status).toBe(401);
    expect((await receive(address, { headers: {}, body: "x".repeat(MAX_BODY_BYTES + 1) })).status).toBe(413);
    await shop.post(`/receivers/${id}/remove`);
    expect((await receive(address, signed(secret))).status).toBe(401);
  });
});
