import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proveLedger } from "../../../src/prove-ledger.js";
import { codeOf, paidOrder, refundPayment } from "../../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";
import { brokenRules, type Damage, expectReported } from "../broken-books.js";
import { book, lines } from "../ledger-rules/direct-booking.js";
import { createQuote, executePayout, holdAccount, type PayoutRow, settlePayout } from "./payout-calls.js";

let database: SandboxDatabase;
let direct: PayoutRow;
let waiting: PayoutRow;
let quoteId: string;

beforeAll(async () => {
  database = await openSandboxDatabase();
  direct = await executePayout(database);
  quoteId = await createQuote(database);
  await executePayout(database, { quoteId });
  await executePayout(database, { francs: 6_493n, rate: "649.39743" });
  waiting = await executePayout(database, { waits: true });
  await settlePayout(database, (await executePayout(database, { waits: true })).id, true);
  await settlePayout(database, (await executePayout(database, { waits: true })).id, false);
  await database.pool.query("UPDATE merchants SET refunds_need_approval = true");
  await refundPayment(database, await paidOrder(database), { amount: 100n });
});
afterAll(() => database.drop());

describe("proveLedger on payouts, quotes and holds", () => {
  it("passes on a sound ledger, and reports fee revenue and conversion positions", async () => {
    expect(await brokenRules(database)).toEqual([]);
    const { positions } = await proveLedger(database.url);
    const of = (kind: string, currency: string) =>
      positions.find(
        (position) => position.mode === "sandbox" && position.kind === kind && position.currency === currency,
      )?.minor;
    expect(of("fees", "EUR")).toBe(120n);
    expect(of("fx", "EUR")).toBe(1_000n);
    expect(of("fx", "XAF")).toBe(-6_493n);
  });

  it("finds no unexplained hold transfers, because commits with them are rejected", async () => {
    const hold = await holdAccount(database);
    const wallet = record(database.merchant.wallets, "EUR");
    const issuing = record(record(database.house, "issuing"), "EUR");
    expect(await codeOf(book(database, [lines("EUR", [issuing, -5n], [hold, 5n])]))).toBe("TG097");
    for (const kind of ["hold", "hold_return"]) {
      const sign = kind === "hold" ? 1n : -1n;
      const actual = book(database, [lines("EUR", [wallet, -1_030n * sign], [hold, 1_030n * sign])], {
        kind,
      });
      expect(await codeOf(actual)).toBe("TG097");
    }
    expect(await brokenRules(database)).toEqual([]);
  });

  /** Rules of list totals, which count payouts. */
  const COUNTED = [/^List totals match the/, /^Ten-minute list totals match/];
  const damages: Damage[] = [
    [
      "a pending payout marked as decided",
      [
        /^7\. A merchant's hold/,
        /^9\. A completed payout/,
        /^9\. Every completed or failed payout/,
        /^Every decision on a/,
        ...COUNTED,
        /^Daily sums match the/,
        /^Quarter-hour counts and sums/,
      ],
      (client) =>
        client.query(
          "UPDATE payouts SET status = 'completed', trx_id = 'PP0', transfer_id = gen_random_uuid(), processed_at = created_at WHERE id = $1",
          [waiting.id],
        ),
    ],
    [
      "a rejected payout without its return transfer",
      [/^7\. Each hold/, /^9\. Every hold/, /^Every decision on a/],
      (client) => client.query("UPDATE payouts SET transfer_id = gen_random_uuid() WHERE status = 'failed'"),
    ],
    [
      "a bulk payout line that references another payout",
      [/^A paid line of/],
      (client) =>
        client.query(
          `INSERT INTO payout_batch_lines (batch_id, number, merchant_id, mode, recipient, amount, sender_currency, receiver_currency, reference, status, payout_id)
           SELECT gen_random_uuid(), 2, merchant_id, mode, 'x', amount, sender_currency, receiver_currency, 'another', 'done', id FROM payouts WHERE id = $1`,
          [direct.id],
        ),
    ],
    [
      "a decision on a held payout without an audit record",
      [/^Every decision on a/],
      (client) => client.query("DELETE FROM audit_records WHERE action = 'payout.approve'"),
    ],
    [
      "a used quote without a payout",
      [/^8\. /],
      (client) =>
        client.query(
          "INSERT INTO quotes (id, merchant_id, mode, wallet_user_id, amount, sender_currency, fee, rate, receiver_amount, receiver_currency, used_at) SELECT gen_random_uuid(), merchant_id, mode, wallet_user_id, amount, sender_currency, fee, rate, receiver_amount, receiver_currency, used_at FROM quotes",
        ),
    ],
    [
      "a quote used by two payouts",
      [/^8\. /],
      async (client) => {
        await client.query("DROP INDEX payouts_quote_id_mode_key");
        await client.query("UPDATE payouts SET quote_id = $2 WHERE id = $1", [direct.id, quoteId]);
      },
    ],
    [
      "a payout whose terms differ from its quote",
      [/^8\. /, /^9\. A completed payout/],
      (client) => client.query("UPDATE quotes SET rate = 1.5 WHERE id = $1", [quoteId]),
    ],
    [
      "a used quote marked as unused",
      [/^8\. /, /^9\. A completed payout/],
      (client) => client.query("UPDATE quotes SET used_at = NULL WHERE id = $1", [quoteId]),
    ],
    [
      "a payout changed after settlement",
      [
        /^9\. A completed payout has its transfer/,
        /^Consumed payout limits equal/,
        /^9\. Every event matches/,
        /^Daily sums match the/,
        /^Quarter-hour counts and sums/,
      ],
      (client) =>
        client.query(
          "UPDATE payouts SET amount = amount + 1, receiver_amount = receiver_amount + 1 WHERE id = $1",
          [direct.id],
        ),
    ],
    [
      "a payout credited to a third party",
      [/^9\. A completed payout has its transfer/],
      (client) =>
        client.query("UPDATE payouts SET recipient_account_id = $2 WHERE id = $1", [
          direct.id,
          record(record(database.shoppers, "Amélie"), "EUR"),
        ]),
    ],
    [
      "a fee credited to the wrong house account",
      [/^9\. A completed payout has its transfer/],
      (client) =>
        client.query(`UPDATE entries SET account_id = $2 WHERE transfer_id = $1 AND account_id = $3`, [
          direct.transfer_id,
          record(record(database.house, "fx"), "EUR"),
          record(record(database.house, "fees"), "EUR"),
        ]),
    ],
    [
      "a payout transfer without its payout",
      [
        /^9\. A payout transfer belongs/,
        /^9\. Every completed or failed payout/,
        /^Consumed payout limits equal/,
        /^9\. Every event matches/,
        /^Every idempotency key references/,
        ...COUNTED,
        /^Daily sums match the/,
        /^Quarter-hour counts and sums/,
      ],
      (client) => client.query("DELETE FROM payouts WHERE id = $1", [direct.id]),
    ],
    [
      "a settled payout without its event",
      [/^9\. Every completed or failed payout/],
      (client) => client.query("DELETE FROM events WHERE name = 'payout.failed'"),
    ],
    [
      "a payout with two events",
      [/^9\. Every completed or failed payout/],
      (client) =>
        client.query(
          `DROP INDEX events_payout_id_name_key;
           INSERT INTO events (id, mode, merchant_id, name, payout_id, body)
           SELECT 'evt_twice', mode, merchant_id, name, payout_id, replace(body, id, 'evt_twice') FROM events WHERE name = 'payout.failed'`,
        ),
    ],
    [
      "a consumed limit without a payout",
      [/^Consumed payout limits equal/],
      (client) => client.query("UPDATE payout_usage SET amount = amount + 1 WHERE period = 'day'"),
    ],
    [
      "a disabled trigger on decided payouts",
      [/^2\. /],
      (client) => client.query("ALTER TABLE payouts DISABLE TRIGGER payouts_are_guarded"),
    ],
    [
      "a dropped trigger on quotes",
      [/^2\. /],
      (client) => client.query("DROP TRIGGER quotes_are_guarded ON quotes"),
    ],
  ];

  it.each(damages)("reports %s, and nothing else", (_, rules, work) => expectReported(database, rules, work));
});
