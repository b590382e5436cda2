import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proveLedger } from "../../../src/prove-ledger.js";
import {
  cancelOrder,
  codeOf,
  createOrder,
  deposit,
  type OrderRow,
  payByQuote,
  payOrder,
  quoteOrder,
  readOrder,
  refundPayment,
} from "../../ledger-calls.js";
import {
  balanceOf,
  countOf,
  openSandboxDatabase,
  record,
  type SandboxDatabase,
} from "../../sandbox-database.js";

const RATE = "0.0015092451";
const AT_ONCE = 20;

let database: SandboxDatabase;
/** Samuel's wallet. */
let francs: string;
let euros: string;

beforeAll(async () => {
  database = await openSandboxDatabase(AT_ONCE);
  francs = record(record(database.shoppers, "Samuel"), "XAF");
  euros = record(record(database.shoppers, "Samuel"), "EUR");
  await deposit(database, francs, "XAF", 10_000_000n);
});
afterAll(async () => {
  const { rules } = await proveLedger(database.url);
  await database.drop();
  expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

const ofKind = (codes: string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};
const atOnce = (work: (i: number) => Promise<unknown>): Promise<string[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, i) => codeOf(work(i))));

describe("a payment from a wallet in another currency", () => {
  it("debits the quoted amount and credits the order's amount, through the house's fx accounts", async () => {
    const order = await createOrder(database, { amount: 1_250n });
    const quote = await quoteOrder(database, order, { wallet: francs, rate: RATE });
    const before = await balanceOf(database, francs);
    const paid = await payByQuote(database, order, quote.id);
    // 12.50 ÷ 0.0015092451 = 8282.28…
    expect(paid).toMatchObject({
      status: "PAID",
      payer_currency: "XAF",
      payer_amount: 8_283n,
      amount: 1_250n,
    });
    expect(await balanceOf(database, francs)).toBe(before - 8_283n);
    const { rows } = await database.pool.query(
      `SELECT a.kind, e.currency, e.amount::int FROM entries e JOIN accounts a ON a.id = e.account_id
       WHERE e.transfer_id = $1 ORDER BY e.currency, e.amount`,
      [paid.transfer_id],
    );
    expect(rows).toEqual([
      { kind: "fx", currency: "EUR", amount: -1_250 },
      { kind: "merchant", currency: "EUR", amount: 1_250 },
      { kind: "shopper", currency: "XAF", amount: -8_283 },
      { kind: "fx", currency: "XAF", amount: 8_283 },
    ]);
  });

  it("is booked once if concurrent confirmations use the same quote", async () => {
    const order = await createOrder(database);
    const { id } = await quoteOrder(database, order, { wallet: francs, rate: RATE });
    const before = await balanceOf(database, francs);
    expect(ofKind(await atOnce(() => payByQuote(database, order, id)))).toEqual({
      done: 1,
      TG010: AT_ONCE - 1,
    });
    expect(await balanceOf(database, francs)).toBe(before - 8_283n);
  });

  it("is booked once if concurrent confirmations use two quotes and another wallet", async () => {
    for (let round = 0; round < 5; round += 1) {
      const order = await createOrder(database);
      const one = await quoteOrder(database, order, { wallet: francs, rate: RATE });
      const two = await quoteOrder(database, order, { wallet: francs, rate: "0.0016" });
      const codes = await atOnce((i) =>
        i % 3 === 2 ? payOrder(database, order, euros) : payByQuote(database, order, i % 3 ? one.id : two.id),
      );
      expect(ofKind(codes)).toEqual({ done: 1, TG010: AT_ONCE - 1 });
      expect(
        await countOf(database, "shopper_quotes WHERE order_id = $1 AND used_at IS NOT NULL", [order.id]),
      ).toBe((await readOrder(database, order.id)).payer_currency === "XAF" ? 1 : 0);
    }
  });

  it("excludes a concurrent cancellation: exactly one of the two succeeds", async () => {
    for (let round = 0; round < 10; round += 1) {
      const order = await createOrder(database);
      const { id } = await quoteOrder(database, order, { wallet: francs, rate: RATE });
      const codes = await Promise.all([
        codeOf(payByQuote(database, order, id)),
        codeOf(cancelOrder(database, order)),
      ]);
      expect(codes.sort()).toEqual(["TG010", "done"]);
    }
  });

  it("is rejected if its quote has expired or belongs to another order or shopper, and leaves the quote unused", async () => {
    const order = await createOrder(database);
    const other = await createOrder(database);
    const expired = await quoteOrder(database, order, { wallet: francs, rate: RATE, seconds: 0 });
    expect(await codeOf(payByQuote(database, order, expired.id))).toBe("TG046");
    const { id } = await quoteOrder(database, order, { wallet: francs, rate: RATE });
    expect(await codeOf(payByQuote(database, other, id))).toBe("TG046");
    const amelie = await database.pool.query("SELECT id FROM wallet_users WHERE name LIKE 'Amélie%'");
    expect(await codeOf(payByQuote(database, order, id, amelie.rows[0].id))).toBe("TG046");
    expect((await payByQuote(database, order, id)).status).toBe("PAID");
  });

  it("leaves quote and order unchanged when the balance is insufficient", async () => {
    const poor = record(record(database.shoppers, "Dana"), "USD");
    const order = await createOrder(database, { amount: 90n });
    const { id, payer_amount } = await quoteOrder(database, order, { wallet: poor, rate: "0.9131166" });
    expect(payer_amount).toBe(99n);
    expect(await codeOf(payByQuote(database, order, id))).toBe("TG020");
    await deposit(database, poor, "USD", 99n - (await balanceOf(database, poor)));
    expect((await payByQuote(database, order, id)).status).toBe("PAID");
    expect(await balanceOf(database, poor)).toBe(0n);
  });
});

describe("a shopper's quote", () => {
  it("debits exactly the order's amount converted at the quote's rate, rounded up", async () => {
    const order = await createOrder(database);
    for (const payerAmount of [8_282n, 8_284n])
      expect(await codeOf(quoteOrder(database, order, { wallet: francs, rate: RATE, payerAmount }))).toBe(
        "TG094",
      );
    expect(
      await codeOf(quoteOrder(database, order, { wallet: francs, rate: RATE, payerAmount: 8_283n })),
    ).toBe("done");
  });

  it("is immutable, even after it is used", async () => {
    const order = await createOrder(database);
    const { id } = await quoteOrder(database, order, { wallet: francs, rate: RATE });
    const change = (set: string) =>
      codeOf(database.pool.query(`UPDATE shopper_quotes SET ${set} WHERE id = $1`, [id]));
    for (const set of [
      "payer_amount = 1",
      "rate = 1",
      "order_id = 'x'",
      "wallet_user_id = gen_random_uuid()",
    ])
      expect(await change(set)).toBe("TG094");
    await payByQuote(database, order, id);
    expect(await change("used_at = NULL")).toBe("TG094");
  });
});

describe("refunds of a converted payment", () => {
  /** Creates an order paid in francs, for whose refunds the payer's share is mostly rounded. */
  async function converted(amount = 700n): Promise<OrderRow> {
    const order = await createOrder(database, { amount });
    const { id } = await quoteOrder(database, order, { wallet: francs, rate: RATE });
    return payByQuote(database, order, id);
  }

  it("return the payer's cumulative share rounded down, and finally the exact remainder", async () => {
    const before = await balanceOf(database, francs);
    const order = await converted();
    const paid = order.payer_amount ?? 0n;
    let refunded = 0n;
    let back = 0n;
    for (const amount of [1n, 1n, 331n, 1n, 366n]) {
      const refund = await refundPayment(database, order, { amount });
      refunded += amount;
      back += refund.payer_amount;
      expect(back).toBe((paid * refunded) / 700n);
    }
    expect(back).toBe(paid);
    expect(await balanceOf(database, francs)).toBe(before);
  });

  it("of less than one minor unit of the payer's currency return nothing until they add up to a whole unit", async () => {
    // Ten cents for two francs: only every fifth cent is worth a franc.
    const order = await createOrder(database, { amount: 10n });
    const { id, payer_amount } = await quoteOrder(database, order, { wallet: francs, rate: "0.05" });
    expect(payer_amount).toBe(2n);
    const paid = await payByQuote(database, order, id);
    const shares = [];
    for (let cent = 0; cent < 10; cent += 1)
      shares.push((await refundPayment(database, paid, { amount: 1n })).payer_amount);
    expect(shares).toEqual([0n, 0n, 0n, 0n, 1n, 0n, 0n, 0n, 0n, 1n]);
  });

  it("return exactly what was paid when run concurrently", async () => {
    const before = await balanceOf(database, francs);
    const order = await converted(BigInt(AT_ONCE) * 35n);
    expect(ofKind(await atOnce(() => refundPayment(database, order, { amount: 35n })))).toEqual({
      done: AT_ONCE,
    });
    expect((await readOrder(database, order.id)).state).toBe("REFUNDED");
    expect(await balanceOf(database, francs)).toBe(before);
  });
});
