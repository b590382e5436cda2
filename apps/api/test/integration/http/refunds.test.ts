import { type RefundList, refundListAnswerSchema, refundSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, readRefund, tokenOf } from "../../support/orders.js";
import { addMerchantWallet, addShopper, merchantIdOf } from "../../support/parties.js";
import { type PayApi, payApi, refusedField, told } from "../../support/requests.js";
import { balanceOf, eventsOf, expectEventsOfTheContract, writesNothing } from "../../support/rows.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";

const CREATED = "Refund created successfully";
const ASTRAL = "𝕏";

let sandbox: Sandbox;
let server: ApiProcess;
let api: PayApi;

beforeAll(async () => {
  sandbox = await openSandbox();
  server = await sandbox.startApi();
  api = payApi(server, sandbox.access.merchant);
});
afterAll(async () => {
  await expectEventsOfTheContract(sandbox);
  await sandbox.close();
});

/** An order that was paid by Approve, and its transaction. */
async function payment(fields: Record<string, unknown> = {}): Promise<{ orderId: string; trxId: string }> {
  const order = await createOrder(api, fields);
  await openPage(server, tokenOf(order)).act("sandbox-approve");
  const { trx_id } = await getOrder(api, order.order_id);
  if (!trx_id) throw new Error("the order was not paid");
  return { orderId: order.order_id, trxId: trx_id };
}

describe("POST /refunds", () => {
  it("without an amount all that is left goes back: nine keys, the order REFUNDED, both events", async () => {
    const { orderId, trxId } = await payment();
    const refund = readRefund(await api.post("/refunds", { transaction_id: trxId }), CREATED);
    expect(Object.keys(refund)).toEqual(Object.keys(refundSchema.shape));
    expect(Object.keys(refund)).toHaveLength(9);
    expect(refund).toEqual({
      refund_id: expect.stringMatching(/^RF-\d{8}-[A-HJ-NP-Z2-9]{6}$/),
      transaction_id: trxId,
      amount: "41.50 EUR",
      raw_amount: 41.5,
      currency: "EUR",
      status: "completed",
      reason: null,
      reference: null,
      created_at: expect.any(String),
    });
    expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUNDED", refunded_amount: 41.5 });
    expect(await eventsOf(sandbox, orderId)).toEqual([
      "pos.order.paid",
      "refund.completed",
      "pos.order.refunded",
    ]);
  });

  it("partial refunds add up to the payment, and only the last one makes the order REFUNDED", async () => {
    const { orderId, trxId } = await payment({ amount: 10 });
    const part = { transaction_id: trxId, reason: "one mug broken", reference: "rma 7" };
    const first = readRefund(await api.post("/refunds", { ...part, amount: "2.50" }), CREATED);
    expect(first).toMatchObject({
      amount: "2.50 EUR",
      raw_amount: 2.5,
      reason: part.reason,
      reference: "rma 7",
    });
    expect(await getOrder(api, orderId)).toMatchObject({ status: "PAID", refunded_amount: 2.5 });
    readRefund(await api.post("/refunds", { ...part, amount: 7.49 }), CREATED);
    const rest = readRefund(await api.post("/refunds", { ...part, amount: null }), CREATED);
    expect(rest.raw_amount).toBe(0.01);
    expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUNDED", refunded_amount: 10 });
  });

  it("the merchant's wallet pays exactly what the payer's wallet gets", async () => {
    const merchant = sandbox.access.merchant.client_id;
    const payer = sandbox.access.shoppers[0];
    if (!payer) throw new Error("no shopper");
    const order = await createOrder(api, { amount: 20 });
    const page = openPage(server, tokenOf(order));
    await page.signIn(payer.email, payer.pin);
    await page.act("pay");
    const before = [await balanceOf(sandbox, merchant), await balanceOf(sandbox, payer.email)];
    const { trx_id } = await getOrder(api, order.order_id);
    await api.post("/refunds", { transaction_id: trx_id, amount: 12.34 });
    const after = [await balanceOf(sandbox, merchant), await balanceOf(sandbox, payer.email)];
    expect(after).toEqual([(before[0] ?? 0n) - 1234n, (before[1] ?? 0n) + 1234n]);
  });

  it.each([
    ["JPY", 500, 300, "300 JPY"],
    ["KWD", 1.5, 0.001, "0.001 KWD"],
  ])("speaks %s in its own digits", async (currency, paid, back, text) => {
    const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
    await addMerchantWallet(sandbox, merchantId, "sandbox", currency);
    await sandbox.database.pool.query(
      `INSERT INTO accounts (id, mode, currency, kind, wallet_user_id, balance)
       SELECT gen_random_uuid(), 'sandbox', $1, 'shopper', id, 0 FROM wallet_users WHERE test_of_merchant_id = $2`,
      [currency, merchantId],
    );
    const { orderId, trxId } = await payment({ amount: paid, currency });
    expect(
      readRefund(await api.post("/refunds", { transaction_id: trxId, amount: back }), CREATED),
    ).toMatchObject({
      amount: text,
      raw_amount: back,
      currency,
    });
    expect((await getOrder(api, orderId)).refunded_amount).toBe(back);
    const tooFine = currency === "JPY" ? 0.5 : 0.0001;
    expect(told(await api.post("/refunds", { transaction_id: trxId, amount: tooFine })).status).toBe(400);
  });

  const exceeds = { status: 422, texts: ["Refund exceeds original amount"] };

  it("more than is left is refused, also when nothing is left, and nothing is written", async () => {
    const { trxId } = await payment({ amount: 10 });
    const refund = (amount?: number) => api.post("/refunds", { transaction_id: trxId, amount });
    expect(told(await writesNothing(sandbox, () => refund(10.01)))).toEqual(exceeds);
    expect((await refund(9)).status).toBe(200);
    expect(told(await writesNothing(sandbox, () => refund(1.01)))).toEqual(exceeds);
    expect((await refund(1)).status).toBe(200);
    expect(told(await writesNothing(sandbox, () => refund(0.01)))).toEqual(exceeds);
    expect(told(await writesNothing(sandbox, () => refund()))).toEqual(exceeds);
  });

  it("a merchant's wallet that holds less is refused", async () => {
    const order = await createOrder(api, { amount: 50, currency: "USD" });
    await openPage(server, tokenOf(order)).act("sandbox-approve");
    const { trx_id } = await getOrder(api, order.order_id);
    // All but 49.99 USD leaves the wallet, as a withdrawal would take it.
    await sandbox.database.pool.query(
      `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'withdrawal', 'USD', m.id, i.id, m.balance - 4999, 'emptied')
       FROM accounts m, accounts i WHERE m.currency = 'USD' AND m.kind = 'merchant' AND i.currency = 'USD' AND i.kind = 'issuing'
         AND m.merchant_id = (SELECT merchant_id FROM credentials WHERE client_id = $1)`,
      [sandbox.access.merchant.client_id],
    );
    const answer = await writesNothing(sandbox, () => api.post("/refunds", { transaction_id: trx_id }));
    expect(told(answer)).toEqual({ status: 422, texts: ["Insufficient balance."] });
  });

  it("a payer whose wallet was closed cannot be refunded; a deactivated one can", async () => {
    const shopper = await addShopper(sandbox, "sandbox", 5000n);
    const pay = async (amount: number) => {
      const order = await createOrder(api, { amount });
      const page = openPage(server, tokenOf(order));
      await page.signIn(shopper.email, shopper.pin);
      expect((await page.act("pay")).status).toBe(200);
      return (await getOrder(api, order.order_id)).trx_id;
    };
    const first = await pay(20);
    const second = await pay(30);
    await sandbox.database.pool.query("UPDATE wallet_users SET active = false WHERE id = $1", [shopper.id]);
    readRefund(await api.post("/refunds", { transaction_id: first, amount: 1 }), CREATED);
    await sandbox.database.pool.query(
      `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'withdrawal', 'EUR', w.id, f.id, w.balance, 'closing')
       FROM accounts w, accounts f WHERE w.wallet_user_id = $1 AND f.kind = 'funding' AND f.currency = 'EUR' AND f.mode = 'sandbox'`,
      [shopper.id],
    );
    await sandbox.database.pool.query("UPDATE accounts SET closed_at = now() WHERE wallet_user_id = $1", [
      shopper.id,
    ]);
    const answer = await writesNothing(sandbox, () => api.post("/refunds", { transaction_id: second }));
    expect(told(answer)).toEqual({ status: 422, texts: ["Transaction not refundable"] });
  });

  it("what was never paid, or is no transaction, is not found", async () => {
    const order = await createOrder(api);
    for (const transaction_id of [order.order_id, tokenOf(order), "TRX-000000000000", "x"]) {
      const answer = await writesNothing(sandbox, () => api.post("/refunds", { transaction_id }));
      expect(told(answer)).toEqual({ status: 404, texts: ["Transaction not found"] });
    }
  });

  it.each([
    [undefined, "is required"],
    [null, "is required"],
    ["", "is required"],
    ["  ", "is required"],
    [7, "must be text"],
    [["TRX-1"], "must be text"],
    ["TRX\u0000", "must not contain NUL or broken characters"],
    ["a".repeat(65), "must not be longer than 64 characters"],
  ])("transaction_id %j is refused: %s", async (transaction_id, rest) => {
    const answer = await writesNothing(sandbox, () => api.post("/refunds", { transaction_id }));
    expect(told(answer)).toEqual(refusedField("transaction_id", rest));
  });

  it("each amount that is no amount of the payment's currency is refused", async () => {
    const { trxId } = await payment();
    const refused: [unknown, string][] = [
      [0, "must be greater than zero"],
      [-1, "must be greater than zero"],
      [0.001, "must have at most 2 decimals"],
      ["1e1", "must be a plain decimal number without an exponent"],
      ["", "must be a number"],
      ["all", "must be a number"],
      [true, "must be a number or a decimal text"],
      [[1], "must be a number or a decimal text"],
      [100_000_000_001, "must be at most 100000000000.00"],
    ];
    for (const [amount, rest] of refused) {
      const answer = await writesNothing(sandbox, () =>
        api.post("/refunds", { transaction_id: trxId, amount }),
      );
      expect(told(answer)).toEqual(refusedField("amount", rest));
    }
  });

  it.each([
    ["reason", 500],
    ["reference", 255],
    ["idempotency_key", 64],
  ])("%s holds up to %i characters, astral ones counted as one", async (field, max) => {
    const { trxId } = await payment();
    const part = { transaction_id: trxId, amount: 1 };
    const longest = readRefund(await api.post("/refunds", { ...part, [field]: ASTRAL.repeat(max) }), CREATED);
    if (field in longest) expect(longest).toMatchObject({ [field]: ASTRAL.repeat(max) });
    const refused: [unknown, string][] = [
      [ASTRAL.repeat(max + 1), `must not be longer than ${max} characters`],
      [5, "must be text"],
      [{}, "must be text"],
      ["\u0000", "must not contain NUL or broken characters"],
      ["\ud83d", "must not contain NUL or broken characters"],
    ];
    for (const [value, rest] of refused) {
      const answer = await writesNothing(sandbox, () => api.post("/refunds", { ...part, [field]: value }));
      expect(told(answer)).toEqual(refusedField(field, rest));
    }
    for (const empty of [null, ""])
      readRefund(
        await api.post("/refunds", { ...part, [field]: empty, amount: "0.01", unknown: [1] }),
        CREATED,
      );
  });
});

describe("GET /refunds/{refund_id}", () => {
  it("a refund reads as it was created", async () => {
    const { trxId } = await payment();
    const refund = readRefund(await api.post("/refunds", { transaction_id: trxId, reason: "ü" }), CREATED);
    expect(readRefund(await api.get(`/refunds/${refund.refund_id}`), "Refund details retrieved")).toEqual(
      refund,
    );
  });

  it.each(["RF-20261121-AAAAAA", "%00", "x".repeat(3000), "TRX-1"])("no such id %s: 404", async (id) => {
    expect(told(await api.get(`/refunds/${id}`))).toEqual({ status: 404, texts: ["Refund not found"] });
  });
});

describe("GET /refunds", () => {
  async function list(query: Record<string, string> = {}): Promise<RefundList> {
    const { status, body, text } = await api.get("/refunds", query);
    expect({ status, text }).toMatchObject({ status: 200 });
    const answer = refundListAnswerSchema.strict().parse(body);
    expect(answer).toEqual(body);
    expect(answer.message.success).toEqual(["Refunds retrieved"]);
    return answer.data;
  }

  it("lists the newest first, by transaction, over stable pages", async () => {
    const { trxId } = await payment();
    const made: string[] = [];
    for (let i = 1; i <= 5; i += 1) {
      const answer = await api.post("/refunds", { transaction_id: trxId, amount: i });
      made.unshift(readRefund(answer, CREATED).refund_id);
    }
    const seen: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { refunds, pagination } = await list({
        transaction_id: trxId,
        per_page: "2",
        page: String(page),
      });
      expect(pagination).toEqual({ current_page: page, per_page: 2, total: 5, last_page: 3 });
      seen.push(...refunds.map(({ refund_id }) => refund_id));
    }
    expect(seen).toEqual(made);
    expect((await list({ transaction_id: "TRX-0" })).pagination).toMatchObject({ total: 0, last_page: 1 });
  });

  it("the total of every filter is the number of refunds on all its pages", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const queries = [
      {},
      { status: "completed" },
      { status: "pending" },
      { from_date: today, to_date: today },
    ];
    for (const query of [...queries, { to_date: "2026-01-01" }]) {
      const { refunds, pagination } = await list({ ...query, per_page: "100" });
      expect(pagination.total).toBe(refunds.length);
    }
    expect((await list({ status: "completed" })).refunds.length).toBeGreaterThan(0);
    expect((await list({ status: "failed" })).refunds).toEqual([]);
  });

  const wholeNumber = (max: number) => `must be a whole number from 1 to ${max}`;

  it.each([
    ["status=PAID", "status", "must be one of pending, completed, failed"],
    ["status=", "status", "must be one of pending, completed, failed"],
    ["from_date=2026-02-30", "from_date", "must be a date (YYYY-MM-DD)"],
    ["to_date=0000-12-31", "to_date", "must be a date (YYYY-MM-DD)"],
    ["page=0", "page", wholeNumber(1_000_000)],
    ["per_page=0", "per_page", wholeNumber(100)],
    ["per_page=101", "per_page", wholeNumber(100)],
    ["transaction_id=a&transaction_id=b", "transaction_id", "must be given once"],
    ["transaction_id=%00", "transaction_id", "must not contain NUL or broken characters"],
    [`transaction_id=${"a".repeat(65)}`, "transaction_id", "must not be longer than 64 characters"],
  ])("%s is refused by its name", async (query, field, rest) => {
    expect(told(await api.get(`/refunds?${query}`))).toEqual(refusedField(field, rest));
  });
});
