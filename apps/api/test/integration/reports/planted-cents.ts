import { proveLedgerIn } from "@tillgate/database";
import pg from "pg";
import type { Sandbox } from "../../support/sandbox.js";

/** A planted difference of one minor unit. */
export type PlantedCent = {
  place: string;
  /** The rule of the ledger proof that finds it. */
  rule: RegExp;
  /** SQL statements; the last returns the ID that the rule names. */
  plant: string;
};

const UNBALANCED = /^1\. A transfer's entries sum to zero/;
const BALANCE = /^5\. A wallet's balance/;
const PAYMENT = /^9\. A paid order has its payment/;
const REFUND = /^9\. A completed refund has its transfer/;
const PAYOUT = /^9\. A completed payout has its transfer/;
const FUNDS = /^9\. Every hold, return, deposit/;
const CHECKPOINT = /^Totals of reports match the entries/;

/** SQL subquery for the oldest transfer of a kind that has at least two entries and is not a correction. */
const transferOf = (kind: string): string =>
  `(SELECT t.id FROM transfers t WHERE t.kind = '${kind}' AND t.corrects IS NULL
      AND 2 <= (SELECT count(*) FROM entries e WHERE e.transfer_id = t.id)
    ORDER BY t.created_at LIMIT 1)`;
const entryOf = (kind: string, account: string): string =>
  `(SELECT e.id FROM entries e JOIN accounts a ON a.id = e.account_id
    WHERE e.transfer_id = ${transferOf(kind)} AND a.kind = '${account}' LIMIT 1)`;

/** Returns SQL that changes an entry. */
const entry = (kind: string, account: string, set = "amount = amount + 1"): string =>
  `UPDATE entries SET ${set} WHERE id = ${entryOf(kind, account)} RETURNING transfer_id AS named`;
const BALANCES =
  "UPDATE accounts a SET balance = (SELECT coalesce(sum(amount), 0) FROM entries WHERE account_id = a.id) WHERE balance IS NOT NULL;";
/** Returns SQL that changes all entries of a transfer, and updates the balances to match. */
const transfer = (id: string, named: string): string =>
  `UPDATE entries SET amount = amount + sign(amount) WHERE transfer_id = ${id}; ${BALANCES} SELECT ${named} AS named`;
const ownerOf = (table: string, kind: string): string =>
  `id FROM ${table} WHERE transfer_id = ${transferOf(kind)}`;
const row = (table: string, set: string, condition: string): string =>
  `UPDATE ${table} SET ${set} WHERE id = (SELECT id FROM ${table} WHERE ${condition} LIMIT 1) RETURNING id AS named`;
const checkpoint = (set: string): string =>
  `UPDATE entry_checkpoints SET ${set} WHERE account_id =
     (SELECT account_id FROM entry_checkpoints ORDER BY entries DESC LIMIT 1) RETURNING account_id AS named`;

const DOUBLED = "00000000-0000-4000-8000-000000000001";

export const PLANTED_CENTS: PlantedCent[] = [
  { place: "in the credit of a payment", rule: UNBALANCED, plant: entry("payment", "merchant") },
  { place: "in the debit of a payment", rule: UNBALANCED, plant: entry("payment", "shopper") },
  { place: "in the fee that the house earned", rule: UNBALANCED, plant: entry("payout", "fees") },
  {
    place: "caused by a missing entry",
    rule: UNBALANCED,
    plant: `DELETE FROM entries WHERE id = ${entryOf("refund", "merchant")} RETURNING transfer_id AS named`,
  },
  {
    place: "caused by a duplicated entry",
    rule: UNBALANCED,
    plant: `INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
      SELECT transfer_id, account_id, mode, currency, 1 FROM entries WHERE id = ${entryOf("payment", "merchant")} RETURNING transfer_id AS named`,
  },
  {
    place: "in the entries of a payment and in the balances",
    rule: PAYMENT,
    plant: transfer(transferOf("payment"), `(SELECT ${ownerOf("orders", "payment")})`),
  },
  {
    place: "in the entries of a refund and in the balances",
    rule: REFUND,
    plant: transfer(transferOf("refund"), `(SELECT ${ownerOf("refunds", "refund")})`),
  },
  {
    place: "in the entries of a payout and in the balances",
    rule: PAYOUT,
    plant: transfer(transferOf("payout"), `(SELECT ${ownerOf("payouts", "payout")})`),
  },
  {
    place: "in the entries of a hold and in the balances",
    rule: FUNDS,
    plant: transfer(transferOf("hold"), transferOf("hold")),
  },
  {
    place: "in the entries of a released hold and in the balances",
    rule: FUNDS,
    plant: transfer(transferOf("hold_return"), transferOf("hold_return")),
  },
  {
    place: "in the entries of a shopper's conversion and in the balances",
    rule: /^9\. A used conversion has its transfer/,
    plant: transfer(transferOf("conversion"), `(SELECT ${ownerOf("conversions", "conversion")})`),
  },
  {
    place: "in the entries of a correction and in the balances",
    rule: FUNDS,
    plant: transfer(
      "(SELECT id FROM transfers WHERE corrects IS NOT NULL ORDER BY created_at LIMIT 1)",
      "(SELECT id FROM transfers WHERE corrects IS NOT NULL ORDER BY created_at LIMIT 1)",
    ),
  },
  {
    place: "in the entries of a corrected deposit and in the balances",
    rule: FUNDS,
    plant: transfer(
      "(SELECT corrects FROM transfers WHERE corrects IS NOT NULL ORDER BY created_at LIMIT 1)",
      "(SELECT id FROM transfers WHERE corrects IS NOT NULL ORDER BY created_at LIMIT 1)",
    ),
  },
  {
    place: "caused by an entry moved to another merchant's wallet, with the balances",
    rule: REFUND,
    plant: `UPDATE entries SET account_id = (SELECT other.id FROM accounts own JOIN accounts other
        ON (other.mode, other.currency, other.kind) = (own.mode, own.currency, own.kind) AND other.merchant_id <> own.merchant_id
        WHERE own.id = account_id LIMIT 1) WHERE id = ${entryOf("refund", "merchant")};
      ${BALANCES} SELECT ${ownerOf("refunds", "refund").replace("id FROM", "id AS named FROM")}`,
  },
  {
    place: "caused by a payment moved to the day before, with its order and event",
    rule: /^2\. Numbers of entries and events/,
    plant: `WITH moved AS (
        UPDATE transfers SET created_at = created_at - interval '1 day' WHERE id = ${transferOf("payment")} RETURNING id),
      paid AS (
        UPDATE orders SET created_at = created_at - interval '1 day', paid_at = paid_at - interval '1 day'
        FROM moved WHERE transfer_id = moved.id RETURNING orders.id),
      reported AS (
        UPDATE events SET created_at = created_at - interval '1 day' FROM paid WHERE order_id = paid.id AND name = 'pos.order.paid')
      SELECT 'entry ' || e.id AS named FROM moved JOIN entries e ON e.transfer_id = moved.id`,
  },
  {
    place: "caused by a duplicated transfer, with the balances",
    rule: /^9\. A payment belongs to exactly one paid order/,
    plant: `INSERT INTO transfers (id, mode, kind) VALUES ('${DOUBLED}', 'sandbox', 'payment');
      INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
        SELECT '${DOUBLED}', account_id, mode, currency, sign(amount) FROM entries WHERE transfer_id = ${transferOf("payment")};
      ${BALANCES} SELECT '${DOUBLED}' AS named`,
  },
  {
    place: "in a payout's amount",
    rule: PAYOUT,
    plant: row(
      "payouts",
      "amount = amount + 1",
      "status = 'completed' AND sender_currency <> receiver_currency",
    ),
  },
  {
    place: "in a payout's fee",
    rule: PAYOUT,
    plant: row("payouts", "fee = fee + 1", "status = 'completed'"),
  },
  {
    place: "in the fee of a pending payout",
    rule: FUNDS,
    plant:
      "UPDATE payouts SET fee = fee + 1 WHERE id = (SELECT id FROM payouts WHERE status = 'pending' LIMIT 1) RETURNING hold_transfer_id AS named",
  },
  {
    place: "in the amount that a payout credited",
    rule: PAYOUT,
    plant: row(
      "payouts",
      "receiver_amount = receiver_amount + 1",
      "status = 'completed' AND sender_currency <> receiver_currency",
    ),
  },
  {
    place: "in an order's amount",
    rule: PAYMENT,
    plant: row(
      "orders",
      "amount = amount + 1, payer_amount = payer_amount + 1",
      "status = 'PAID' AND quote_id IS NULL AND refunded = 0 AND refund_pending = 0",
    ),
  },
  {
    place: "in the amount that a shopper paid in another currency",
    rule: PAYMENT,
    plant: row("orders", "payer_amount = payer_amount + 1", "quote_id IS NOT NULL AND refunded = 0"),
  },
  {
    place: "in a shopper's quote",
    rule: /^8\. A shopper's quote is the order's amount/,
    plant: row("shopper_quotes", "payer_amount = payer_amount + 1", "true"),
  },
  {
    place: "in a refund's amount",
    rule: REFUND,
    plant: row("refunds", "amount = amount + 1", "status = 'completed'"),
  },
  {
    place: "in the amount that a refund returned",
    rule: REFUND,
    plant: row("refunds", "payer_amount = payer_amount + 1", "status = 'completed'"),
  },
  {
    place: "in an order's refunded amount",
    rule: /^6\. Refunds do not exceed the payment/,
    plant: row(
      "orders",
      "refunded = refunded + 1",
      "refunded > 0 AND refunded + refund_pending + 1 < amount",
    ),
  },
  {
    place: "in the amount that a shopper converted",
    rule: /^8\. A conversion credits its amount/,
    plant: row("conversions", "to_amount = to_amount + 1", "used_at IS NOT NULL"),
  },
  {
    place: "in a merchant's balance",
    rule: BALANCE,
    plant:
      "UPDATE accounts SET balance = balance + 1 WHERE id = (SELECT id FROM accounts WHERE kind = 'merchant' AND balance > 0 LIMIT 1) RETURNING id AS named",
  },
  {
    place: "in the balance of held money",
    rule: /^7\. A merchant's hold equals/,
    plant:
      "UPDATE accounts SET balance = balance + 1 WHERE id = (SELECT id FROM accounts WHERE kind = 'hold' AND balance > 0 LIMIT 1) RETURNING id AS named",
  },
  { place: "in a checkpoint's credits", rule: CHECKPOINT, plant: checkpoint("credits = credits + 1") },
  { place: "in a checkpoint's debits", rule: CHECKPOINT, plant: checkpoint("debits = debits + 1") },
  { place: "in a checkpoint's fees", rule: CHECKPOINT, plant: checkpoint("fees = fees + 1") },
  {
    place: "in a checkpoint's credits and debits, with a correct balance",
    rule: CHECKPOINT,
    plant: checkpoint("credits = credits + 1, debits = debits + 1"),
  },
  {
    place: "in a checkpoint's debits and fees, with a correct balance",
    rule: CHECKPOINT,
    plant: checkpoint("debits = debits - 1, fees = fees + 1"),
  },
  {
    place: "in the consumed payout limit of a month",
    rule: /^Consumed payout limits/,
    plant:
      "UPDATE payout_usage SET amount = amount + 1 WHERE ctid = (SELECT ctid FROM payout_usage WHERE period = 'month' LIMIT 1) RETURNING merchant_id || ' ' || currency || ' month ' || starts_on AS named",
  },
  {
    place: "in a day's sum of payments",
    rule: /^Daily sums match the rows/,
    plant:
      "SELECT roll_up_counters(100000); UPDATE day_sums SET amount = amount + 1 WHERE ctid = (SELECT ctid FROM day_sums WHERE kind = 'order' LIMIT 1) RETURNING merchant_id || ' order ' || day AS named",
  },
  {
    place: "in a webhook event's amount",
    rule: /^9\. Every event matches its/,
    plant: row(
      "events",
      "body = jsonb_set(body::jsonb, '{amount}', to_jsonb((body::jsonb ->> 'amount')::numeric + 0.01))::text",
      "name = 'payout.completed'",
    ),
  },
];

/**
 * Plants a cent as superuser without triggers, proves the ledger as the API's role, and rolls back.
 * @returns the violated rules with their violations, and the ID that the rule must name
 */
export async function damageProof(
  { url }: Sandbox,
  plant: string,
): Promise<{ violations: Record<string, string[]>; named: string }> {
  const address = new URL(url);
  address.searchParams.delete("options");
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  try {
    await client.query("BEGIN; SET LOCAL session_replication_role = replica");
    const results = [await client.query(plant)].flat();
    const named: unknown = results.at(-1)?.rows[0]?.named;
    await client.query("SET LOCAL ROLE tillgate_api");
    const { rules } = await proveLedgerIn(client);
    await client.query("ROLLBACK");
    return {
      violations: Object.fromEntries(
        rules
          .filter(({ violations }) => violations.length > 0)
          .map(({ rule, violations }) => [rule, violations]),
      ),
      named: String(named),
    };
  } finally {
    await client.end();
  }
}
