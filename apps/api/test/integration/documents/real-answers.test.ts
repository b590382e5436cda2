import { randomUUID } from "node:crypto";
import { openApiDocument } from "@tillgate/contract/openapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ApiProcess } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import { passExpiry } from "../../support/orders.js";
import { addLiveSide, addShopper, merchantIdOf } from "../../support/parties.js";
import type { Answer } from "../../support/requests.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";
import { type Authorization, authorizationOf, type Call, type Caller, createCaller } from "./callers.js";
import { checkAnswers, describedOperations, describedTexts } from "./described-answers.js";

const document = openApiDocument();
const operations = describedOperations(document);
const checks = checkAnswers(document);

const NOBODY: Authorization = { clientCredentials: null, accessToken: null, apiToken: null };
const PLENTY = {
  TILLGATE_PAY_REQUESTS_A_MINUTE: "100000",
  TILLGATE_PARTNER_REQUESTS_A_MINUTE: "100000",
  TILLGATE_TOKENS_A_MINUTE: "100000",
  TILLGATE_WRONG_SECRETS_A_CLIENT: "100000",
  TILLGATE_WRONG_SECRETS_AN_ADDRESS: "100000",
  TILLGATE_CREDENTIAL_CACHE_MS: "0",
};

let sandbox: Sandbox;
let server: ApiProcess;
let call: Caller;
let known: Authorization;
/** The same callers, right but of the live mode. */
let live: Authorization;
let liveAccess: { client_id: string; client_secret: string };

/** One string of an answer, by its path. */
function part({ body, text }: Answer, ...path: string[]): string {
  let at: unknown = body;
  for (const name of path) at = z.record(z.string(), z.unknown()).parse(at)[name];
  const found = z.string().safeParse(at);
  if (!found.success) throw new Error(`no ${path.join(".")} in ${text}`);
  return found.data;
}

const execute = (sql: string, values: unknown[] = []) => sandbox.database.pool.query(sql, values);

/** Changes rows while something is asked, and takes the change back. */
async function meanwhile(change: string, back: string, values: unknown[], work: () => Promise<unknown>) {
  await execute(change, values);
  try {
    await work();
  } finally {
    await execute(back, values);
  }
}

async function accessTokenOf(access: { client_id: string; client_secret: string }, at = 0): Promise<string> {
  const body = { client_id: access.client_id, secret_id: access.client_secret };
  return part(await call("createAccessToken", { body, server: at }), "data", "access_token");
}

beforeAll(async () => {
  sandbox = await openSandbox();
  server = await sandbox.startApi({ environment: PLENTY });
  const { merchant } = sandbox.access;
  call = createCaller(operations, checks, { url: server.url, authorization: NOBODY });
  known = authorizationOf({ ...merchant, access_token: await accessTokenOf(merchant) });
  call = createCaller(operations, checks, { url: server.url, authorization: known });
  liveAccess = await addLiveSide(sandbox, merchant.client_id);
  live = authorizationOf({ ...liveAccess, access_token: await accessTokenOf(liveAccess, 1) });
});
afterAll(() => sandbox.close());

const ORDER = { amount: 41.5, currency: "EUR" };
const PAYMENT = {
  amount: 10,
  currency: "EUR",
  return_url: "https://shop.example/thanks",
  product_name: "Tea",
  order_number: "1",
};

const createOrder = async (fields: Record<string, unknown> = {}): Promise<Answer> =>
  call("createOrder", { body: { ...ORDER, ...fields } });

const pageOf = (order: Answer) =>
  openPage(server, part(order, "data", "payment_url").split("/pay/")[1] ?? "");

/** An order paid by Approve: its id and transaction. */
async function paidOrder(): Promise<{ order_id: string; trx_id: string }> {
  const order = await createOrder();
  await pageOf(order).act("sandbox-approve");
  const order_id = part(order, "data", "order_id");
  return { order_id, trx_id: part(await call("getOrder", { parameters: { order_id } }), "data", "trx_id") };
}

const lookup = async (phone = "+237 671 23 45 67"): Promise<string> =>
  part(await call("lookupRecipient", { body: { phone } }), "data", "lookup_token");

const terms = async (amount: unknown = 10, sender_currency = "EUR", receiver_currency = "XAF") => ({
  lookup_token: await lookup(),
  amount,
  sender_currency,
  receiver_currency,
});

const once = () => ({ reference: randomUUID(), idempotency_key: randomUUID() });

/** A request of each operation that nothing is wrong with. */
const RIGHT: Record<string, () => Promise<Call>> = {
  createAccessToken: async () => ({
    body: {
      client_id: sandbox.access.merchant.client_id,
      secret_id: sandbox.access.merchant.client_secret,
    },
  }),
  createPayment: async () => ({ body: PAYMENT }),
  getPayment: async () => ({
    parameters: { token: part(await call("createPayment", { body: PAYMENT }), "data", "token") },
  }),
  createOrder: async () => ({ body: ORDER }),
  listOrders: async () => ({ query: "?per_page=100" }),
  getOrder: async () => ({ parameters: { order_id: part(await createOrder(), "data", "order_id") } }),
  cancelOrder: async () => ({ parameters: { order_id: part(await createOrder(), "data", "order_id") } }),
  createRefund: async () => ({ body: { transaction_id: (await paidOrder()).trx_id } }),
  listRefunds: async () => ({}),
  getRefund: async () => {
    const body = { transaction_id: (await paidOrder()).trx_id };
    return { parameters: { refund_id: part(await call("createRefund", { body }), "data", "refund_id") } };
  },
  lookupRecipient: async () => ({ body: { email: "SAMUEL@example.com" } }),
  quotePayout: async () => ({ body: await terms() }),
  executePayout: async () => ({ body: { ...(await terms()), ...once() } }),
  getPayout: async () => {
    const made = await call("executePayout", { body: { ...(await terms()), ...once() } });
    return { parameters: { payout_id: part(made, "data", "payout", "payout_id") } };
  },
  getBalances: async () => ({}),
};

const right = async (id: string): Promise<Call> => {
  const make = RIGHT[id];
  if (!make) throw new Error(`no request of ${id} is known here`);
  return make();
};

const statusOf = async (id: string, request: Call): Promise<number> => (await call(id, request)).status;

describe.each(
  operations.map(({ id, method, security, path, servers }) => ({ id, method, security, path, servers })),
)("$id", ({ id, method, security, path, servers }) => {
  it("succeeds as described", async () => {
    expect(await statusOf(id, await right(id))).toBe(200);
  });

  it("is served under every server that is named", async () => {
    for (const [server] of servers.entries()) {
      const { parameters = {} } = await right(id);
      const nothing = method === "post" ? { body: {} } : {};
      const status = await statusOf(id, { parameters, server, authorization: NOBODY, ...nothing });
      expect(status).toBe(security === null ? 400 : security === "accessToken" ? 403 : 401);
    }
  });

  it("refuses plain HTTP, answers a fault without details, and limits the rate, as described", async () => {
    const request = await right(id);
    const production = await sandbox.startApi({
      environment: { ...PLENTY, TILLGATE_ENVIRONMENT: "production" },
    });
    expect(await statusOf(id, { ...request, url: production.url })).toBe(403);
    const broken = await sandbox.startApi({
      environment: PLENTY,
      change: (context) => ({
        ...context,
        database: new Proxy(context.database, {
          get() {
            throw new Error("the database is gone");
          },
        }),
      }),
    });
    expect(await statusOf(id, { ...request, url: broken.url })).toBe(500);
    const strict = await sandbox.startApi({
      environment: {
        ...PLENTY,
        TILLGATE_PAY_REQUESTS_A_MINUTE: "1",
        TILLGATE_PARTNER_REQUESTS_A_MINUTE: "1",
        TILLGATE_TOKENS_A_MINUTE: "1",
      },
    });
    await call(id, { ...request, url: strict.url });
    expect(await statusOf(id, { ...request, url: strict.url })).toBe(429);
  });

  it("refuses bodies and paths that cannot be read, as described", async () => {
    const request = await right(id);
    if (path.includes("{")) {
      const parameters = Object.fromEntries(
        Object.keys(request.parameters ?? {}).map((name) => [name, "%E0"]),
      );
      expect(await statusOf(id, { parameters })).toBe(400);
    }
    if (method === "get") return;
    expect(await statusOf(id, { ...request, text: "{" })).toBe(400);
    expect(await statusOf(id, { ...request, text: `"${"a".repeat(70_000)}"` })).toBe(413);
    for (const headers of [
      { "content-type": "text/plain" },
      { "content-type": "application/json; charset=latin1" },
      { "content-type": "application/json", "content-encoding": "gzip" },
    ])
      expect(await statusOf(id, { ...request, text: "{}", headers })).toBe(415);
  });

  it("refuses callers as described", async () => {
    const request = await right(id);
    if (security) {
      const refused = security === "accessToken" ? 403 : 401;
      expect(await statusOf(id, { ...request, authorization: NOBODY })).toBe(refused);
    }
    if (security === "clientCredentials" || security === "accessToken")
      expect(await statusOf(id, { ...request, authorization: live })).toBe(
        security === "accessToken" ? 403 : 401,
      );
    const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
    await meanwhile(
      "UPDATE merchants SET suspended_at = now() WHERE id = $1",
      "UPDATE merchants SET suspended_at = NULL WHERE id = $1",
      [merchantId],
      async () => expect(await statusOf(id, request)).toBe(403),
    );
    if (security !== "apiToken") return;
    await meanwhile(
      "UPDATE merchants SET partner_api_enabled = false WHERE id = $1",
      "UPDATE merchants SET partner_api_enabled = true WHERE id = $1",
      [merchantId],
      async () => expect(await statusOf(id, request)).toBe(403),
    );
  });
});

describe("what single operations refuse", () => {
  it("access tokens", async () => {
    const { client_id } = sandbox.access.merchant;
    expect(await statusOf("createAccessToken", { body: {} })).toBe(400);
    expect(await statusOf("createAccessToken", { body: { client_id, secret_id: "wrong" } })).toBe(400);
    const { client_secret } = liveAccess;
    const body = { client_id: liveAccess.client_id, secret_id: client_secret };
    expect(await statusOf("createAccessToken", { body })).toBe(400);
  });

  it("payments", async () => {
    expect(await statusOf("createPayment", { body: { ...PAYMENT, amount: undefined } })).toBe(400);
    expect(await statusOf("createPayment", { body: { ...PAYMENT, currency: "JPY" } })).toBe(400);
    const keyed = { ...PAYMENT, idempotency_key: randomUUID() };
    await call("createPayment", { body: keyed });
    const repeated = await call("createPayment", { body: keyed });
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
    expect(await statusOf("createPayment", { body: { ...keyed, amount: 11 } })).toBe(409);
    expect(await statusOf("getPayment", { parameters: { token: "none" } })).toBe(404);
  });

  it("orders", async () => {
    for (const fields of [
      { amount: undefined },
      { amount: 0 },
      { amount: 1.234 },
      { amount: 41, currency: "JPY" },
    ])
      expect((await createOrder(fields)).status).toBe(400);
    const plain = { ...ORDER, callback_url: "http://shop.example/tillgate" };
    expect(await statusOf("createOrder", { body: plain, server: 1, authorization: live })).toBe(400);
    const keyed = { ...ORDER, idempotency_key: randomUUID() };
    await call("createOrder", { body: keyed });
    expect((await createOrder(keyed)).headers.get("idempotent-replayed")).toBe("true");
    expect((await createOrder({ ...keyed, amount: 1 })).status).toBe(409);
    for (const query of ["?status=paid", "?per_page=101", "?from_date=2026-02-30"])
      expect(await statusOf("listOrders", { query })).toBe(400);
    for (const id of ["getOrder", "cancelOrder"])
      expect(await statusOf(id, { parameters: { order_id: "POS-20261121-AAAAAA" } })).toBe(404);
    const { order_id } = await paidOrder();
    expect(await statusOf("cancelOrder", { parameters: { order_id } })).toBe(422);
    const overdue = part(await createOrder(), "data", "order_id");
    await passExpiry(sandbox, overdue);
    const expired = await call("getOrder", { parameters: { order_id: overdue } });
    expect(part(expired, "data", "status")).toBe("EXPIRED");
  });

  it("refunds", async () => {
    const { trx_id } = await paidOrder();
    const refund = (fields: Record<string, unknown>) =>
      statusOf("createRefund", { body: { transaction_id: trx_id, ...fields } });
    expect(await refund({ transaction_id: undefined })).toBe(400);
    expect(await refund({ amount: 0 })).toBe(400);
    expect(await refund({ transaction_id: "TRX-000000000000" })).toBe(404);
    expect(await refund({ amount: 42 })).toBe(422);
    const key = randomUUID();
    expect(await refund({ amount: 1, idempotency_key: key })).toBe(200);
    expect(await refund({ amount: 1, idempotency_key: key })).toBe(200);
    expect(await refund({ amount: 2, idempotency_key: key })).toBe(409);
    for (const query of ["?status=PAID", "?per_page=0", "?from_date=2026-02-30"])
      expect(await statusOf("listRefunds", { query })).toBe(400);
    expect(await statusOf("getRefund", { parameters: { refund_id: "RF-20261121-AAAAAA" } })).toBe(404);
  });

  it("refunds that cannot be booked", async () => {
    const shopper = await addShopper(sandbox, "sandbox", 5_000n);
    const order = await createOrder();
    const page = pageOf(order);
    await page.signIn(shopper.email, shopper.pin);
    await page.act("pay");
    const parameters = { order_id: part(order, "data", "order_id") };
    const transaction_id = part(await call("getOrder", { parameters }), "data", "trx_id");
    const { client_id } = sandbox.access.merchant;
    const merchantId = await merchantIdOf(sandbox, client_id);
    const withdraw = (owner: string, column: string, reference: string) =>
      execute(
        `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'withdrawal', 'EUR', w.id, f.id, w.balance, $2)
         FROM accounts w, accounts f WHERE w.${column} = $1 AND w.mode = 'sandbox' AND w.currency = 'EUR'
           AND w.kind IN ('merchant', 'shopper') AND f.kind = 'funding' AND f.currency = 'EUR' AND f.mode = 'sandbox'`,
        [owner, reference],
      );
    await withdraw(merchantId, "merchant_id", "emptied");
    expect(await statusOf("createRefund", { body: { transaction_id } })).toBe(422);
    await execute(
      `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'deposit', 'EUR', f.id, w.id, 2000000, 'filled')
       FROM accounts w, accounts f WHERE w.merchant_id = $1 AND w.mode = 'sandbox' AND w.currency = 'EUR'
         AND w.kind = 'merchant' AND f.kind = 'funding' AND f.currency = 'EUR' AND f.mode = 'sandbox'`,
      [merchantId],
    );
    await withdraw(shopper.id, "wallet_user_id", "left");
    await execute("UPDATE accounts SET closed_at = now() WHERE wallet_user_id = $1", [shopper.id]);
    expect(await statusOf("createRefund", { body: { transaction_id } })).toBe(422);
  });

  it("recipients", async () => {
    for (const body of [{}, { phone: "+237671234567", email: "samuel@example.com" }])
      expect(await statusOf("lookupRecipient", { body })).toBe(422);
    expect(await statusOf("lookupRecipient", { body: { email: "nobody@example.com" } })).toBe(404);
    expect(await statusOf("lookupRecipient", { body: { email: "ivo@example.com" } })).toBe(404);
    expect(await statusOf("getPayout", { parameters: { payout_id: "PO00000000" } })).toBe(404);
  });

  const UNAUTHORIZED = "UPDATE payout_terms SET authorized = false WHERE currency = 'USD'";
  const AUTHORIZED = "UPDATE payout_terms SET authorized = true WHERE currency = 'USD'";
  const INACTIVE = "UPDATE wallet_users SET active = false WHERE email = 'samuel@example.com'";
  const ACTIVE = "UPDATE wallet_users SET active = true WHERE email = 'samuel@example.com'";

  it.each(["quotePayout", "executePayout"])("%s", async (id) => {
    const ask = async (fields: Record<string, unknown>) =>
      statusOf(id, { body: { ...fields, ...(id === "executePayout" ? once() : {}) } });
    expect(await ask({ ...(await terms()), lookup_token: randomUUID() })).toBe(400);
    expect(await ask({ ...(await terms()), lookup_token: undefined })).toBe(422);
    expect(await ask(await terms(10, "JPY"))).toBe(400);
    expect(await ask(await terms(10, "EUR", "NONE"))).toBe(400);
    expect(await ask(await terms(10, "EUR", "USD"))).toBe(400);
    expect(await ask(await terms(1, "XAF", "EUR"))).toBe(422);
    const asked = await terms();
    await meanwhile(INACTIVE, ACTIVE, [], async () => expect(await ask(asked)).toBe(400));
    await meanwhile(UNAUTHORIZED, AUTHORIZED, [], async () =>
      expect(await ask(await terms(10, "USD"))).toBe(400),
    );
  });

  it("payouts", async () => {
    const payout = async (fields: Record<string, unknown>) =>
      call("executePayout", { body: { ...once(), ...fields } });
    const quote = async () => part(await call("quotePayout", { body: await terms() }), "data", "quote_id");
    expect((await payout({ quote_id: randomUUID() })).status).toBe(400);
    expect((await payout({ quote_id: await quote(), idempotency_key: undefined })).status).toBe(422);
    expect((await payout({ quote_id: await quote(), amount: 11 })).status).toBe(422);
    const first = { quote_id: await quote(), ...once() };
    expect(part(await payout(first), "data", "payout", "status")).toBe("completed");
    expect((await payout(first)).headers.get("idempotent-replayed")).toBe("true");
    expect((await payout({ ...(await terms()), reference: first.reference })).status).toBe(400);
    expect((await payout(await terms(5_000.01))).status).toBe(400);
    const waiting = await payout(await terms(2_000.01));
    expect(part(waiting, "data", "payout", "status")).toBe("pending");
    for (const limit of ["daily", "monthly"])
      await meanwhile(
        `UPDATE payout_terms SET ${limit} = 100 WHERE currency = 'EUR'`,
        `UPDATE payout_terms SET ${limit} = 5000000 WHERE currency = 'EUR'`,
        [],
        async () => expect((await payout(await terms(2))).status).toBe(400),
      );
    await meanwhile(
      "UPDATE payout_terms SET per_transaction = NULL, daily = NULL, monthly = NULL WHERE currency = 'EUR'",
      "UPDATE payout_terms SET per_transaction = 500000, daily = 1000000, monthly = 5000000 WHERE currency = 'EUR'",
      [],
      async () => expect((await payout(await terms(90_000))).status).toBe(400),
    );
  });
});

describe("the document", () => {
  it("describes no error and no success that was not answered here", () => {
    expect(describedTexts(operations).filter((text) => !checks.answered.has(text))).toEqual([]);
  });
});
