import { PAY_API_PATH } from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, paymentTokenOf } from "../../support/orders.js";
import {
  addCredential,
  addLiveCredential,
  type ClientCredentials,
  merchantIdOf,
} from "../../support/parties.js";
import { type ApiResponse, basic, errorOf, type PayApi, payApi, send } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const UNAUTHORIZED = { status: 401, texts: ["Invalid API credentials."] };

let live: ClientCredentials;

const { sandbox, server, merchantId } = await createTestApi();
beforeAll(async () => {
  live = await addLiveCredential(sandbox, sandbox.access.merchant.client_id);
});

const endpoints = (orderId: string, trxId: string, refundId: string) => ({
  "POST /orders": (api: PayApi) => api.post("/orders", { amount: 1, currency: "EUR" }),
  "GET /orders": (api: PayApi) => api.get("/orders"),
  "GET /orders/{id}": (api: PayApi) => api.get(`/orders/${orderId}`),
  "POST /orders/{id}/cancel": (api: PayApi) => api.post(`/orders/${orderId}/cancel`),
  "POST /refunds": (api: PayApi) => api.post("/refunds", { transaction_id: trxId }),
  "GET /refunds": (api: PayApi) => api.get("/refunds"),
  "GET /refunds/{id}": (api: PayApi) => api.get(`/refunds/${refundId}`),
});

async function expectRejectedEverywhere(api: PayApi): Promise<ApiResponse[]> {
  const calls = Object.values(endpoints("POS-20261121-AAAAAA", "TRX-1", "RF-20261121-AAAAAA"));
  return expectNoWrites(sandbox, () => Promise.all(calls.map((call) => call(api))));
}

describe("Pay API authentication", () => {
  it("returns the same 401 error with a Basic challenge for a wrong secret and an unknown client, on order and refund endpoints", async () => {
    const { client_id, client_secret, api_token } = sandbox.access.merchant;
    const wrong: ClientCredentials[] = [
      { client_id, client_secret: `${client_secret}x` },
      { client_id, client_secret: client_secret.slice(0, -1) },
      { client_id, client_secret: "" },
      { client_id, client_secret: sandbox.access.other_merchant.client_secret },
      { client_id: client_id.toUpperCase(), client_secret },
      { client_id: "tg_test_unknown", client_secret },
      { client_id: "nobody\u0000", client_secret },
      { client_id: client_secret, client_secret: client_id },
      { client_id, client_secret: api_token },
      { client_id: api_token, client_secret: api_token },
    ];
    for (const access of wrong)
      for (const response of await expectRejectedEverywhere(payApi(server, access))) {
        expect(errorOf(response)).toEqual(UNAUTHORIZED);
        expect(response.headers.get("www-authenticate")).toBe('Basic realm="Tillgate", charset="UTF-8"');
      }
  });

  it.each([
    ["a missing header", undefined],
    ["a scheme other than Basic", "Bearer abc"],
    ["missing credentials", "Basic"],
    ["invalid base64", "Basic %%%"],
    ["credentials without a colon", `Basic ${Buffer.from("clientonly").toString("base64")}`],
    ["an empty client id", `Basic ${Buffer.from(":secret").toString("base64")}`],
    ["broken UTF-8", `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString("base64")}`],
    ["oversized credentials", `Basic ${Buffer.from(`a:${"b".repeat(5000)}`).toString("base64")}`],
  ])("returns 401 for %s", async (_name, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const response = await send(`${server.url}${PAY_API_PATH.sandbox}/orders`, { headers });
    expect(errorOf(response)).toEqual(UNAUTHORIZED);
    expect(response.headers.get("www-authenticate")).toMatch(/^Basic /);
  });

  it("accepts the Basic scheme in mixed case", async () => {
    const authorization = basic(sandbox.access.merchant).replace("Basic", "bAsIc");
    const { status } = await send(`${server.url}${PAY_API_PATH.sandbox}/orders`, {
      headers: { authorization },
    });
    expect(status).toBe(200);
  });

  it("precedes field validation", async () => {
    const api = payApi(server, { client_id: "nobody", client_secret: "x" });
    expect(errorOf(await api.post("/orders", { amount: "?" }))).toEqual(UNAUTHORIZED);
    expect(errorOf(await api.get("/orders", { page: "0" }))).toEqual(UNAUTHORIZED);
  });

  it("rejects a key of the other mode, and reveals its mode only with the correct secret", async () => {
    const test = sandbox.access.merchant;
    for (const [access, mode, hint] of [
      [test, "live", "sandbox"],
      [live, "sandbox", "live"],
    ] as const) {
      for (const response of await expectRejectedEverywhere(payApi(server, access, mode))) {
        expect(errorOf(response)).toEqual({
          status: 401,
          texts: [`Invalid API credentials. This is a ${hint} key.`],
        });
        expect(response.headers.get("www-authenticate")).toMatch(/^Basic /);
      }
      const wrong = payApi(server, { ...access, client_secret: "wrong" }, mode);
      for (const result of await expectRejectedEverywhere(wrong))
        expect(errorOf(result)).toEqual(UNAUTHORIZED);
    }
  });

  it("rejects a revoked credential in the same way as a wrong secret, in either mode", async () => {
    const access = await addCredential(sandbox, merchantId, "sandbox");
    expect((await payApi(server, access).get("/orders")).status).toBe(200);
    await sandbox.database.prisma.credential.updateMany({
      where: { clientId: access.client_id },
      data: { revokedAt: new Date() },
    });
    for (const mode of ["sandbox", "live"] as const)
      for (const response of await expectRejectedEverywhere(payApi(server, access, mode)))
        expect(errorOf(response)).toEqual(UNAUTHORIZED);
  });

  it("reveals a suspension only with the correct secret", async () => {
    const { other_merchant } = sandbox.access;
    const where = { id: await merchantIdOf(sandbox, other_merchant.client_id) };
    await sandbox.database.prisma.merchant.update({ where, data: { suspendedAt: new Date() } });
    for (const response of await expectRejectedEverywhere(payApi(server, other_merchant)))
      expect(errorOf(response)).toEqual({ status: 403, texts: ["This account is suspended."] });
    for (const result of await expectRejectedEverywhere(
      payApi(server, { ...other_merchant, client_secret: "x" }),
    ))
      expect(errorOf(result)).toEqual(UNAUTHORIZED);
    await sandbox.database.prisma.merchant.update({ where, data: { suspendedAt: null } });
    expect((await payApi(server, other_merchant).get("/orders")).status).toBe(200);
  });
});

describe("Pay API object-level authorisation", () => {
  it("treats IDs of other merchants and modes exactly like unknown IDs", async () => {
    const api = payApi(server, sandbox.access.merchant);
    const pending = await createOrder(api);
    const paid = await createOrder(api);
    await openPage(server, paymentTokenOf(paid)).act("sandbox-approve");
    const { trx_id } = await getOrder(api, paid.order_id);
    await api.post("/refunds", { transaction_id: trx_id, amount: 1 });
    const refunds = await sandbox.database.prisma.refund.findMany({ where: { orderId: paid.order_id } });
    const theirs = endpoints(pending.order_id, trx_id ?? "", refunds[0]?.id ?? "");
    const nobodys = endpoints("POS-20261121-AAAAAA", "TRX-1", "RF-20261121-AAAAAA");
    const byId = [
      "GET /orders/{id}",
      "POST /orders/{id}/cancel",
      "POST /refunds",
      "GET /refunds/{id}",
    ] as const;

    for (const foreigner of [payApi(server, sandbox.access.other_merchant), payApi(server, live, "live")])
      for (const name of byId) {
        const response = await expectNoWrites(sandbox, () => theirs[name](foreigner));
        expect({ name, ...errorOf(response) }).toEqual({ name, ...errorOf(await nobodys[name](foreigner)) });
        expect(response.status).toBe(404);
      }
    for (const name of byId) expect((await theirs[name](api)).status).toBe(200);
  });

  it("does not list a live order in the sandbox", async () => {
    const inLive = payApi(server, live, "live");
    const order = await createOrder(inLive);
    expect(paymentTokenOf(order)).not.toBe("");
    const sandboxList = await payApi(server, sandbox.access.merchant).get("/orders", { per_page: "100" });
    expect(sandboxList.text).not.toContain(order.order_id);
    expect((await inLive.get("/orders")).text).toContain(order.order_id);
  });
});

it("POST /orders rejects a plain http callback_url in live mode", async () => {
  const response = await expectNoWrites(sandbox, () =>
    payApi(server, live, "live").post("/orders", {
      amount: 1,
      currency: "EUR",
      callback_url: "http://shop.example/hook",
    }),
  );
  expect(errorOf(response).fields).toEqual({
    callback_url: ["The callback_url field must be an https URL in live mode"],
  });
});
