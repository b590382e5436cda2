import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callRows } from "../../src/functions/ledger-function.js";
import { expireDueOrders } from "../../src/ledger.js";
import { proveLedger } from "../../src/prove-ledger.js";
import {
  approveOrder,
  cancelOrder,
  codeOf,
  createOrder,
  expireOrder,
  type OrderRow,
  payByQuote,
  payOrder,
  quoteOrder,
  readOrder,
  refundPayment,
} from "../ledger-calls.js";
import { countOf, openSandboxDatabase, record, type SandboxDatabase } from "../sandbox-database.js";

const full = process.env.TILLGATE_TEST_COUNTS === "full";
const RUNS = full ? 200 : 25;
const MAX_STEPS = full ? 60 : 30;
const TIMEOUT_MS = full ? 900_000 : 60_000;
const CONNECTIONS = 12;

type Create = {
  do: "create";
  amount: number;
  currency: "EUR" | "XAF" | "USD";
  merchant: 0 | 1;
  expires: 0 | 300;
  key: number | null;
};
type Refund = { do: "refund"; order: number; amount: number | null; key: number | null };
type Step =
  | Create
  | Refund
  | { do: "pay"; order: number; wallet: number }
  | { do: "approve"; order: number }
  | { do: "quote"; order: number; wallet: number; rate: string; seconds: 0 | 300 }
  | { do: "payByQuote"; order: number; quote: number; anyOrder: boolean }
  | { do: "cancel"; order: number }
  | { do: "expire"; order: number }
  | { do: "sweep"; limit: number };

type Quoted = { id: string; order: OrderRow };

/** Orders that every run starts with, so that its steps compete. */
const FIRST_ORDERS: Create[] = [
  { do: "create", amount: 40, currency: "EUR", merchant: 0, expires: 300, key: null },
  { do: "create", amount: 70_000, currency: "EUR", merchant: 1, expires: 300, key: null },
  { do: "create", amount: 500, currency: "XAF", merchant: 0, expires: 300, key: null },
  { do: "create", amount: 60, currency: "USD", merchant: 1, expires: 0, key: null },
];

/** Quotes in francs for two of the orders, so that steps compete for conversions as well. */
const FIRST_QUOTES: Step[] = [0, 1, 1].map((order) => ({
  do: "quote",
  order,
  wallet: 2,
  rate: "0.0015092451",
  seconds: 300,
}));

/** A run that reaches every final state, because a few random runs may not. */
const EVERY_END: Step[] = [
  { do: "payByQuote", order: 0, quote: 0, anyOrder: false },
  { do: "refund", order: 0, amount: 15, key: null },
  { do: "refund", order: 0, amount: null, key: null },
  { do: "approve", order: 1 },
  { do: "cancel", order: 2 },
  { do: "expire", order: 3 },
  { do: "create", amount: 25, currency: "EUR", merchant: 0, expires: 300, key: null },
];

/** Results that the functions may return; anything else (a broken check, a deadlock) is a bug. */
const ANSWERS = [
  "done",
  ...["TG001", "TG002", "TG010", "TG011", "TG020", "TG021", "TG023", "TG024", "TG030", "TG046"],
];

const index = fc.nat({ max: 7 });
const key = fc.option(fc.nat({ max: 3 }), { freq: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("create"),
      // Close to the balances of the smaller wallets, so that some orders exceed them.
      amount: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 10_000, max: 90_000 })),
      currency: fc.constantFrom("EUR", "EUR", "XAF", "USD"),
      merchant: fc.constantFrom(0, 1),
      expires: fc.constantFrom(300, 300, 0),
      key,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("pay"), order: index, wallet: fc.nat({ max: 4 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("approve"), order: index }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("quote"),
      order: index,
      wallet: fc.nat({ max: 4 }),
      // Large and small rates: one minor unit is worth many minor units of the other currency, or the reverse.
      rate: fc.constantFrom("0.9131166", "1.073358", "649.39743", "0.0015092451", "3"),
      seconds: fc.constantFrom(300, 300, 300, 0),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("payByQuote"),
      order: index,
      quote: fc.nat({ max: 9 }),
      // Mostly by the quote's own order; another order's payment must be rejected.
      anyOrder: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancel"), order: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("expire"), order: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("sweep"), limit: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("refund"),
      order: index,
      amount: fc.option(fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 90_000 }))),
      key,
    }),
  },
);

describe("the ledger under random interleavings of creating, quoting, paying, cancelling, expiring and refunding", () => {
  let database: SandboxDatabase;
  let run = 0;

  beforeAll(async () => {
    database = await openSandboxDatabase(CONNECTIONS);
  });
  afterAll(() => database.drop());

  /** Returns currencies whose entries, including those of house accounts, do not sum to zero. There must be none. */
  const created = async () => {
    const { rows } = await database.pool.query(
      "SELECT currency, sum(amount)::text FROM entries GROUP BY currency HAVING sum(amount) <> 0",
    );
    return rows;
  };

  /** Executes one step and adds what it creates to `orders` and `quotes`. @returns the outcome. */
  async function take(orders: OrderRow[], quotes: Quoted[], next: Step): Promise<string> {
    const { merchant, otherMerchant, shoppers } = database;
    if (next.do === "create") {
      const { currency, amount, expires: expiresInSeconds } = next;
      return codeOf(
        createOrder(database, {
          merchant: next.merchant === 0 ? merchant : otherMerchant,
          currency,
          amount: BigInt(amount),
          expiresInSeconds,
          callbackUrl: "https://shop.example.com/hook",
          fields: { currency, amount, expiresInSeconds },
          ...(next.key === null ? {} : { key: `order ${run} ${next.key}` }),
        }).then((order) => orders.push(order)),
      );
    }
    if (next.do === "sweep") return codeOf(callRows(database.pool, expireDueOrders, { limit: next.limit }));
    const order = orders[next.order % Math.max(1, orders.length)];
    if (!order) return "done";
    if (next.do === "cancel") return codeOf(cancelOrder(database, order));
    if (next.do === "expire") return codeOf(expireOrder(database, order));
    if (next.do === "approve") return codeOf(approveOrder(database, order));
    const wallets = [
      record(record(shoppers, "Amélie"), "EUR"),
      record(record(shoppers, "Samuel"), "EUR"),
      record(record(shoppers, "Samuel"), "XAF"),
      record(record(shoppers, "Dana"), "USD"),
      record(record(shoppers, "Ivo"), "EUR"),
    ];
    if (next.do === "pay") return codeOf(payOrder(database, order, wallets[next.wallet] ?? ""));
    if (next.do === "quote") {
      const wallet = wallets[next.wallet] ?? "";
      const { rate, seconds } = next;
      if (order.currency === ["EUR", "EUR", "XAF", "USD", "EUR"][next.wallet]) return "done";
      return codeOf(
        quoteOrder(database, order, { wallet, rate, seconds }).then(({ id }) => quotes.push({ id, order })),
      );
    }
    if (next.do === "payByQuote") {
      const quote = quotes[next.quote % Math.max(1, quotes.length)];
      if (!quote) return "done";
      return codeOf(payByQuote(database, next.anyOrder ? order : quote.order, quote.id));
    }
    const { trx_id } = await readOrder(database, order.id);
    const of = await database.pool.query<{ merchant_id: string }>(
      "SELECT merchant_id FROM orders WHERE id = $1",
      [order.id],
    );
    return codeOf(
      refundPayment(
        database,
        { ...order, trx_id },
        {
          merchant: of.rows[0]?.merchant_id === merchant.id ? merchant : otherMerchant,
          fields: { trx_id, amount: next.amount },
          ...(next.amount === null ? {} : { amount: BigInt(next.amount) }),
          ...(next.key === null ? {} : { key: `refund ${run} ${next.key}` }),
        },
      ),
    );
  }

  it(
    "stays sound whether its steps run sequentially or concurrently",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 10, maxLength: MAX_STEPS, size: "max" }),
          fc.integer({ min: 1, max: CONNECTIONS }),
          async (steps, atOnce) => {
            run += 1;
            const orders: OrderRow[] = [];
            const quotes: Quoted[] = [];
            for (const first of [...FIRST_ORDERS, ...FIRST_QUOTES]) await take(orders, quotes, first);
            for (let start = 0; start < steps.length; start += atOnce) {
              const responses = await Promise.all(
                steps.slice(start, start + atOnce).map((next) => take(orders, quotes, next)),
              );
              for (const response of responses) expect(ANSWERS).toContain(response);
            }
            const { rules } = await proveLedger(database.url);
            expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
            expect(await created()).toEqual([]);
          },
        ),
        { numRuns: RUNS, examples: [[EVERY_END, 1]] },
      );
      const { rows } = await database.pool.query<{ state: string }>(
        "SELECT DISTINCT state::text FROM orders ORDER BY 1",
      );
      // Otherwise the runs did not cover every outcome.
      expect(rows.map(({ state }) => state)).toEqual(["CANCELLED", "EXPIRED", "PAID", "PENDING", "REFUNDED"]);
      expect(await countOf(database, "orders WHERE quote_id IS NOT NULL")).toBeGreaterThan(0);
      expect(
        await countOf(
          database,
          "refunds r JOIN orders o ON o.id = r.order_id WHERE o.quote_id IS NOT NULL AND r.payer_amount > 0",
        ),
      ).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
