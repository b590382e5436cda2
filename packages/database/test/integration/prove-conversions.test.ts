import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createOrder,
  deposit,
  type OrderRow,
  payByQuote,
  quoteOrder,
  refundPayment,
} from "../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../sandbox-database.js";
import { brokenRules, type Damage, expectReported } from "./broken-books.js";

describe("proveLedger on conversions", () => {
  let database: SandboxDatabase;
  let paid: OrderRow;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    const wallet = record(record(database.shoppers, "Samuel"), "XAF");
    await deposit(database, wallet, "XAF", 100_000n);
    const order = await createOrder(database);
    // Another quote, which is never used.
    await quoteOrder(database, order, { wallet, rate: "0.0016" });
    const { id } = await quoteOrder(database, order, { wallet, rate: "0.0015092451" });
    paid = await payByQuote(database, order, id);
    await refundPayment(database, paid, { amount: 333n });
    // Samuel converts as well, and has another open quote.
    for (const used of [true, false]) {
      const { rows } = await database.pool.query<{ id: string; shopper: string }>(
        `INSERT INTO conversions (id, mode, wallet_user_id, from_currency, from_amount, to_currency, to_amount, rate, created_at, expires_at)
         SELECT gen_random_uuid(), 'sandbox', a.wallet_user_id, 'XAF', 10000, 'EUR', floor(10000 * x.rate * (100 - x.spread_percent)),
           x.rate * (100 - x.spread_percent) / 100, clock_timestamp(), clock_timestamp() + interval '5 minutes'
         FROM accounts a, exchange_rates x WHERE a.id = $1 AND x.mode = 'sandbox' AND x.base = 'XAF' AND x.quote = 'EUR' AND x.effective_from <= now()
         ORDER BY x.effective_from DESC, x.created_at DESC LIMIT 1 RETURNING id, wallet_user_id AS shopper`,
        [wallet],
      );
      if (used)
        await database.pool.query("SELECT convert_money($1, $2, gen_random_uuid())", [
          rows[0]?.id,
          rows[0]?.shopper,
        ]);
    }
  });
  afterAll(() => database.drop());

  it("passes on a converted payment with its refund, a shopper's conversion and unused quotes", async () => {
    expect(await brokenRules(database)).toEqual([]);
  });

  const damages: Damage[] = [
    [
      "a quote marked as used without a payment",
      [/^8\. A shopper's used/],
      (client) => client.query("UPDATE shopper_quotes SET used_at = now() WHERE used_at IS NULL"),
    ],
    [
      "a used quote marked as unused",
      [/^8\. A shopper's used/, /^9\. A paid order has its payment/],
      (client) => client.query("UPDATE shopper_quotes SET used_at = NULL"),
    ],
    [
      "a quote that debits more than its rate",
      [/^8\. A shopper's quote/],
      (client) =>
        client.query("UPDATE shopper_quotes SET payer_amount = payer_amount + 1 WHERE used_at IS NULL"),
    ],
    [
      "a quote that debits less than its rate",
      [/^8\. A shopper's quote/],
      (client) =>
        client.query("UPDATE shopper_quotes SET payer_amount = payer_amount - 1 WHERE used_at IS NULL"),
    ],
    [
      "a payment whose conversion has an extra, balanced line",
      [/^9\. A paid order has its payment/],
      (client) =>
        client.query(
          `INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
           SELECT $1, id, 'sandbox', 'XAF', sign FROM accounts, (VALUES (1), (-1)) AS s (sign)
           WHERE mode = 'sandbox' AND currency = 'XAF' AND kind = CASE sign WHEN 1 THEN 'fx'::account_kind ELSE 'fees' END`,
          [paid.transfer_id],
        ),
    ],
    [
      "a refund whose amount for the payer is below its transfer",
      [/^6\. The refunds of/, /^9\. A completed refund has its transfer/],
      (client) => client.query("UPDATE refunds SET payer_amount = payer_amount - 1"),
    ],
    [
      "a conversion that credited more than its rate",
      [/^8\. A conversion credits/, /^9\. A used conversion/],
      (client) => client.query("UPDATE conversions SET to_amount = to_amount + 1 WHERE used_at IS NOT NULL"),
    ],
    [
      "a missing conversion",
      [/^9\. A conversion transfer belongs to exactly one/],
      (client) => client.query("DELETE FROM conversions"),
    ],
    [
      "a conversion at a rate that was not in effect",
      [/^9\. A used conversion/],
      (client) => client.query("UPDATE conversions SET rate = rate * 1.00001 WHERE used_at IS NOT NULL"),
    ],
    [
      "a conversion used after its expiry",
      [/^9\. A used conversion/, /^A used quote was/],
      (client) =>
        client.query(
          "UPDATE conversions SET expires_at = used_at - interval '1 second' WHERE used_at IS NOT NULL",
        ),
    ],
    [
      "a disabled trigger on conversions",
      [/^2\. /],
      (client) => client.query("ALTER TABLE conversions DISABLE TRIGGER conversions_are_guarded"),
    ],
    [
      "a disabled trigger on shoppers' quotes",
      [/^2\. /],
      (client) => client.query("ALTER TABLE shopper_quotes DISABLE TRIGGER shopper_quotes_are_guarded"),
    ],
  ];

  it.each(damages)("reports %s, and nothing else", (_, rules, work) => expectReported(database, rules, work));
});
