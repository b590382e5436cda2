import { PAY_API_PATH } from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, tokenOf } from "../../support/orders.js";
import { type Access, addCredential, addLiveSide, merchantIdOf } from "../../support/parties.js";
import { type Answer, basic, type PayApi, payApi, send, told } from "../../support/requests.js";
import { writesNothing } from "../../support/rows.js";
import { sceneOfFile } from "../../support/scene.js";

const UNAUTHORIZED = { status: 401, texts: ["Invalid API credentials."] };

let live: Access;

const { sandbox, server, merchantId } = await sceneOfFile();
beforeAll(async () => {
  live = await addLiveSide(sandbox, sandbox.access.merchant.client_id);
});

/** Every endpoint of the Pay API, with ids that may or may not be the caller's. */
const endpoints = (orderId: string, trxId: string, refundId: string) => ({
  "POST /orders": (api: PayApi) => api.post("/orders", { amount: 1, currency: "EUR" }),
  "GET /orders": (api: PayApi) => api.get("/orders"),
  "GET /orders/{id}": (api: PayApi) => api.get(`/orders/${orderId}`),
  "POST /orders/{id}/cancel": (api: PayApi) => api.post(`/orders/${orderId}/cancel`),
  "POST /refunds": (api: PayApi) => api.post("/refunds", { transaction_id: trxId }),
  "GET /refunds": (api: PayApi) => api.get("/refunds"),
  "GET /refunds/{id}": (api: PayApi) => api.get(`/refunds/${refundId}`),
});

/** The same refusal at every endpoint, with nothing written. */
async function refusedEverywhere(api: PayApi): Promise<Answer[]> {
  const calls = Object.values(endpoints("POS-20261121-AAAAAA", "TRX-1", "RF-20261121-AAAAAA"));
  return writesNothing(sandbox, () => Promise.all(calls.map((call) => call(api))));
}

describe("Pay API authentication", () => {
  it("answers a wrong secret and an unknown client alike on every endpoint: 401 with a Basic challenge", async () => {
    const { client_id, client_secret, api_token } = sandbox.access.merchant;
    const wrong: Access[] = [
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
      for (const answer of await refusedEverywhere(payApi(server, access))) {
        expect(told(answer)).toEqual(UNAUTHORIZED);
        expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Tillgate", charset="UTF-8"');
      }
  });

  it.each([
    ["a missing header", undefined],
    ["another scheme", "Bearer abc"],
    ["missing credentials", "Basic"],
    ["invalid base64", "Basic %%%"],
    ["credentials without a colon", `Basic ${Buffer.from("clientonly").toString("base64")}`],
    ["an empty client id", `Basic ${Buffer.from(":secret").toString("base64")}`],
    ["broken UTF-8", `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString("base64")}`],
    ["oversized credentials", `Basic ${Buffer.from(`a:${"b".repeat(5000)}`).toString("base64")}`],
  ])("answers 401 to %s", async (_name, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await send(`${server.url}${PAY_API_PATH.sandbox}/orders`, { headers });
    expect(told(answer)).toEqual(UNAUTHORIZED);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
  });

  it("accepts the scheme in any case", async () => {
    const authorization = basic(sandbox.access.merchant).replace("Basic", "bAsIc");
    const { status } = await send(`${server.url}${PAY_API_PATH.sandbox}/orders`, {
      headers: { authorization },
    });
    expect(status).toBe(200);
  });

  it("precedes field validation", async () => {
    const api = payApi(server, { client_id: "nobody", client_secret: "x" });
    expect(told(await api.post("/orders", { amount: "?" }))).toEqual(UNAUTHORIZED);
    expect(told(await api.get("/orders", { page: "0" }))).toEqual(UNAUTHORIZED);
  });

  it("rejects a key of the other mode, and names its mode only with the correct secret", async () => {
    const test = sandbox.access.merchant;
    for (const [access, mode, hint] of [
      [test, "live", "sandbox"],
      [live, "sandbox", "live"],
    ] as const) {
      for (const answer of await refusedEverywhere(payApi(server, access, mode))) {
        expect(told(answer)).toEqual({
          status: 401,
          texts: [`Invalid API credentials. This is a ${hint} key.`],
        });
        expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
      }
      const wrong = payApi(server, { ...access, client_secret: "wrong" }, mode);
      for (const answer of await refusedEverywhere(wrong)) expect(told(answer)).toEqual(UNAUTHORIZED);
    }
  });

  it("rejects a revoked credential like a wrong one, in either mode", async () => {
    const access = await addCredential(sandbox, merchantId, "sandbox");
    expect((await payApi(server, access).get("/orders")).status).toBe(200);
    await sandbox.database.prisma.credential.updateMany({
      where: { clientId: access.client_id },
      data: { revokedAt: new Date() },
    });
    for (const mode of ["sandbox", "live"] as const)
      for (const answer of await refusedEverywhere(payApi(server, access, mode)))
        expect(told(answer)).toEqual(UNAUTHORIZED);
  });

  it("reports a suspension only with the correct secret", async () => {
    const { other_merchant } = sandbox.access;
    const where = { id: await merchantIdOf(sandbox, other_merchant.client_id) };
    await sandbox.database.prisma.merchant.update({ where, data: { suspendedAt: new Date() } });
    for (const answer of await refusedEverywhere(payApi(server, other_merchant)))
      expect(told(answer)).toEqual({ status: 403, texts: ["This account is suspended."] });
    for (const answer of await refusedEverywhere(payApi(server, { ...other_merchant, client_secret: "x" })))
      expect(told(answer)).toEqual(UNAUTHORIZED);
    await sandbox.database.prisma.merchant.update({ where, data: { suspendedAt: null } });
    expect((await payApi(server, other_merchant).get("/orders")).status).toBe(200);
  });
});

describe("Pay API object-level authorisation", () => {
  it("answers IDs of another merchant or mode exactly like unknown IDs", async () => {
    const api = payApi(server, sandbox.access.merchant);
    const pending = await createOrder(api);
    const paid = await createOrder(api);
    await openPage(server, tokenOf(paid)).act("sandbox-approve");
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
        const answer = await writesNothing(sandbox, () => theirs[name](foreigner));
        expect({ name, ...told(answer) }).toEqual({ name, ...told(await nobodys[name](foreigner)) });
        expect(answer.status).toBe(404);
      }
    for (const name of byId) expect((await theirs[name](api)).status).toBe(200);
  });

  it("never mixes live and sandbox lists of a merchant", async () => {
    const inLive = payApi(server, live, "live");
    const order = await createOrder(inLive);
    expect(tokenOf(order)).not.toBe("");
    const sandboxList = await payApi(server, sandbox.access.merchant).get("/orders", { per_page: "100" });
    expect(sandboxList.text).not.toContain(order.order_id);
    expect((await inLive.get("/orders")).text).toContain(order.order_id);
  });

  it("rejects a plain http callback_url of a live order", async () => {
    const answer = await writesNothing(sandbox, () =>
      payApi(server, live, "live").post("/orders", {
        amount: 1,
        currency: "EUR",
        callback_url: "http://shop.example/hook",
      }),
    );
    expect(told(answer).fields).toEqual({
      callback_url: ["The callback_url field must be an https address in live mode"],
    });
  });
});
