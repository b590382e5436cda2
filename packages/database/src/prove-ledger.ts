import { withConnection } from "@tillgate/migrate";
import { queryRows } from "@tillgate/service";
import type { ClientBase } from "pg";
import { z } from "zod";
import { GUARDING_TRIGGERS } from "./guarding-triggers.js";

/** The query returns one line of text per violation. */
type Rule = { rule: string; violations: string };

/** Returns a SQL condition that is true if the event of a change made at `time` or later may have been pruned. */
const mayBePruned = (time: string): string =>
  `((${time} < (SELECT pruned_before FROM event_retention)) IS TRUE)`;

/** Tolerance for lock waits, and for failovers between servers with clocks minutes apart. Without it, immutable rows would fail the proof forever. */
const MAX_APART_SECONDS = 3_600;

const areApart = (a: string, b: string): string =>
  `abs(extract(epoch FROM ${a} - ${b})) > ${MAX_APART_SECONDS}`;

/**
 * Returns a SQL condition that is true if a field of an event contradicts the event's subject. Earlier versions wrote null for empty texts and omitted
 * some keys.
 */
const differs = (text: string, key: string): string =>
  `(coalesce(parsed.body ->> '${key}', '') <> coalesce(${text}, '') AND parsed.body -> '${key}' IS NOT NULL)`;

const RULES: Rule[] = [
  {
    rule: "1. A transfer's entries sum to zero per currency",
    violations: `SELECT format('transfer %s sums to %s %s', transfer_id, sum(amount), currency) FROM entries
      GROUP BY transfer_id, currency HAVING sum(amount) <> 0`,
  },
  {
    rule: "1. Every transfer has entries",
    violations: `SELECT format('transfer %s has no entries', id) FROM transfers t
      WHERE NOT EXISTS (SELECT FROM entries e WHERE e.transfer_id = t.id)`,
  },
  {
    rule: "2. Entries and transfers are immutable: all guarding triggers are enabled",
    violations: `SELECT format('trigger %s is missing or disabled', wanted)
      FROM unnest(ARRAY[${GUARDING_TRIGGERS.map((name) => `'${name}'`).join(", ")}]) AS wanted
      WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgenabled IN ('O', 'A')
        AND tgrelid = split_part(wanted, '.', 1)::regclass AND tgname = split_part(wanted, '.', 2))`,
  },
  {
    rule: "2. Numbers of entries and events increase with their times",
    violations: `SELECT format('%s %s is dated %s, but an earlier number is dated %s', kind, number, created_at, latest) FROM (
        SELECT 'entry' AS kind, e.id AS number, t.created_at, max(t.created_at) OVER (ORDER BY e.id) AS latest FROM entries e JOIN transfers t ON t.id = e.transfer_id
        UNION ALL SELECT 'event', number, created_at, max(created_at) OVER (ORDER BY number) FROM events) AS numbered WHERE ${areApart("created_at", "latest")}`,
  },
  {
    rule: "2. Records of money movements and their events have the transfer's date",
    violations: `SELECT format('%s %s is dated %s, but its %s is dated %s', kind, id, at, other, theirs) FROM (
        SELECT 'order' AS kind, o.id, o.paid_at AS at, 'payment' AS other, t.created_at AS theirs FROM orders o JOIN transfers t ON t.id = o.transfer_id
        UNION ALL SELECT 'payout', p.id, p.created_at, 'first transfer', t.created_at FROM payouts p JOIN transfers t ON t.id = coalesce(p.hold_transfer_id, p.transfer_id)
        UNION ALL SELECT 'payout', p.id, p.processed_at, 'transfer', t.created_at FROM payouts p JOIN transfers t ON t.id = p.transfer_id
        UNION ALL SELECT 'refund', r.id, r.created_at, 'first transfer', t.created_at FROM refunds r JOIN transfers t ON t.id = coalesce(r.hold_transfer_id, r.transfer_id)
        UNION ALL SELECT 'refund', r.id, r.settled_at, 'transfer', t.created_at FROM refunds r JOIN transfers t ON t.id = r.transfer_id
        UNION ALL SELECT 'order', o.id, o.paid_at, 'event', v.created_at FROM orders o JOIN events v ON v.order_id = o.id AND v.name = 'pos.order.paid'
        UNION ALL SELECT 'payout', p.id, p.processed_at, 'event', v.created_at FROM payouts p JOIN events v ON v.payout_id = p.id
        UNION ALL SELECT 'refund', r.id, r.settled_at, 'event', v.created_at FROM refunds r JOIN events v ON v.refund_id = r.id) AS dated
      WHERE ${areApart("at", "theirs")}`,
  },
  {
    rule: "3. A correction references an earlier transfer of its mode",
    violations: `SELECT format('transfer %s corrects a later transfer or itself', t.id) FROM transfers t JOIN transfers c ON c.id = t.corrects
      WHERE c.created_at > t.created_at OR c.id = t.id`,
  },
  {
    rule: "3. A transfer is corrected at most once",
    violations: `SELECT format('transfer %s is corrected %s times', corrects, count(*)) FROM transfers
      WHERE corrects IS NOT NULL GROUP BY corrects HAVING count(*) > 1`,
  },
  {
    rule: "4. No wallet has a negative balance",
    violations: `SELECT format('account %s has balance %s', id, balance) FROM accounts WHERE balance < 0`,
  },
  {
    rule: "5. A wallet's balance is the sum of its entries",
    violations: `SELECT format('account %s has balance %s, its entries sum to %s', a.id, a.balance, coalesce(s.amount, 0)) FROM accounts a
      LEFT JOIN (SELECT account_id, sum(amount) AS amount FROM entries GROUP BY account_id) s ON s.account_id = a.id
      WHERE a.balance IS NOT NULL AND a.balance <> coalesce(s.amount, 0)`,
  },
  {
    rule: "6. Refunds do not exceed the payment, and an order's totals match its refunds",
    violations: `SELECT format('order %s: refunded %s (%s by its refunds), pending %s (%s), paid %s', o.id, o.refunded,
        coalesce(r.completed, 0), o.refund_pending, coalesce(r.pending, 0), o.amount) FROM orders o
      LEFT JOIN (SELECT order_id, sum(amount) FILTER (WHERE status = 'completed') AS completed,
          sum(amount) FILTER (WHERE status = 'pending') AS pending FROM refunds GROUP BY order_id) r ON r.order_id = o.id
      WHERE o.refunded + o.refund_pending > o.amount OR o.refunded <> coalesce(r.completed, 0)
        OR o.refund_pending <> coalesce(r.pending, 0)`,
  },
  {
    rule: "6. The refunds of a payment return the payer's share, and all of it on a full refund",
    violations: `SELECT format('order %s: refunds returned %s, not %s', o.id, r.given_back, div(o.payer_amount::numeric * o.refunded, o.amount))
      FROM orders o JOIN (SELECT order_id, sum(payer_amount) AS given_back FROM refunds WHERE status = 'completed' GROUP BY order_id) r ON r.order_id = o.id
      WHERE r.given_back <> div(o.payer_amount::numeric * o.refunded, o.amount)`,
  },
  {
    rule: "7. A merchant's hold equals its pending payouts with fees and its pending refunds",
    violations: `SELECT format('hold %s has balance %s, %s are pending', a.id, a.balance, waiting.amount) FROM accounts a CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount), 0) AS amount FROM (
          SELECT p.amount + p.fee AS amount FROM payouts p WHERE p.status = 'pending' AND p.merchant_id = a.merchant_id AND p.mode = a.mode AND p.sender_currency = a.currency
          UNION ALL SELECT r.amount FROM refunds r WHERE r.status = 'pending' AND r.merchant_id = a.merchant_id AND r.mode = a.mode AND r.currency = a.currency) AS both_kinds) AS waiting
      WHERE a.kind = 'hold' AND a.balance <> waiting.amount`,
  },
  {
    rule: "7. Each hold was created once, and settled or released once",
    violations: `SELECT format('transfer %s (%s) belongs to %s payouts and refunds', t.id, t.kind, count(held.id)) FROM transfers t
      LEFT JOIN (SELECT id, hold_transfer_id AS transfer_id, 'hold' AS kind FROM payouts UNION ALL SELECT id, hold_transfer_id, 'hold' FROM refunds
        UNION ALL SELECT id, transfer_id, 'hold_return' FROM payouts WHERE status = 'failed'
        UNION ALL SELECT id, transfer_id, 'hold_return' FROM refunds WHERE status = 'failed') AS held
        ON held.transfer_id = t.id AND held.kind = t.kind::text
      WHERE t.kind IN ('hold', 'hold_return') GROUP BY t.id, t.kind HAVING count(held.id) <> 1`,
  },
  {
    rule: "8. A used quote has exactly one payout, on its terms",
    violations: `SELECT format('quote %s, used at %s, has %s payouts on its terms', q.id, q.used_at, count(p.id)) FROM quotes q
      LEFT JOIN payouts p ON p.quote_id = q.id AND p.merchant_id = q.merchant_id AND p.mode = q.mode AND p.amount = q.amount AND p.fee = q.fee
        AND p.rate = q.rate AND p.receiver_amount = q.receiver_amount AND p.wallet_user_id = q.wallet_user_id
        AND p.sender_currency = q.sender_currency AND p.receiver_currency = q.receiver_currency
      GROUP BY q.id HAVING count(p.id) <> (q.used_at IS NOT NULL)::int`,
  },
  {
    rule: "8. A shopper's used quote has exactly one order, on its terms",
    violations: `SELECT format('quote %s, used at %s, has %s orders on its terms', q.id, q.used_at, count(o.id)) FROM shopper_quotes q
      LEFT JOIN orders o ON o.quote_id = q.id AND o.id = q.order_id AND o.mode = q.mode AND o.payer_account_id = q.account_id
        AND o.payer_currency = q.payer_currency AND o.payer_amount = q.payer_amount
      GROUP BY q.id HAVING count(o.id) <> (q.used_at IS NOT NULL)::int`,
  },
  {
    rule: "8. A shopper's quote is the order's amount at its rate, rounded up",
    violations: `SELECT format('quote %s debits %s', q.id, q.payer_amount) FROM shopper_quotes q JOIN orders o ON o.id = q.order_id
      JOIN currencies own ON own.code = o.currency JOIN currencies payers ON payers.code = q.payer_currency
      CROSS JOIN LATERAL (SELECT o.amount * power(10::numeric, payers.digits) AS asked, q.rate * power(10::numeric, own.digits) AS unit_worth) AS exact
      WHERE q.payer_amount * exact.unit_worth < exact.asked OR (q.payer_amount - 1) * exact.unit_worth >= exact.asked`,
  },
  {
    rule: "9. A completed payout has its transfer: amount and fee from the merchant, fee to the house, amount to the recipient",
    violations: `SELECT format('payout %s: its transfer %s', p.id, coalesce(transfer_violation(t), 'is a ' || t.kind)) FROM payouts p
      LEFT JOIN transfers t ON t.id = p.transfer_id
      WHERE p.status = 'completed' AND (t.kind IS DISTINCT FROM 'payout' OR transfer_violation(t) IS NOT NULL)`,
  },
  {
    rule: "9. A payout transfer belongs to exactly one completed payout",
    violations: `SELECT format('payout transfer %s belongs to %s payouts', t.id, count(p.id)) FROM transfers t
      LEFT JOIN payouts p ON p.transfer_id = t.id AND p.status = 'completed' WHERE t.kind = 'payout' GROUP BY t.id HAVING count(p.id) <> 1`,
  },
  {
    rule: "9. Every completed or failed payout has one event, and every event its payout",
    violations: `SELECT format('payout %s is %s and has %s matching events', coalesce(p.id, v.payout_id), coalesce(p.status::text, 'unknown'), count(v.name))
      FROM (SELECT * FROM payouts WHERE status <> 'pending') p
      FULL JOIN (SELECT merchant_id, name, payout_id FROM events WHERE name LIKE 'payout.%') v
        ON v.payout_id = p.id AND v.merchant_id = p.merchant_id AND v.name = 'payout.' || p.status
      GROUP BY p.id, p.status, p.processed_at, v.payout_id
      HAVING p.id IS NULL OR count(v.name) > 1 OR (count(v.name) = 0 AND NOT ${mayBePruned("p.processed_at")})`,
  },
  {
    rule: "Consumed payout limits equal the completed and pending payouts",
    violations: `SELECT format('%s %s %s %s: stored %s, paid out %s', merchant_id, currency, period, starts_on, stored, paid_out) FROM (
        SELECT merchant_id, mode, currency, period, starts_on, sum(stored) AS stored, sum(paid_out) AS paid_out FROM (
          SELECT merchant_id, mode, currency, period, starts_on, amount AS stored, 0 AS paid_out FROM payout_usage
          UNION ALL SELECT p.merchant_id, p.mode, p.sender_currency, u.period, date_trunc(u.period::text, p.created_at AT TIME ZONE 'UTC')::date, 0, p.amount
            FROM payouts p CROSS JOIN unnest(enum_range(NULL::usage_period)) AS u (period) WHERE p.status <> 'failed') AS both_sides
        GROUP BY merchant_id, mode, currency, period, starts_on) AS compared WHERE stored <> paid_out`,
  },
  {
    rule: "9. A paid order has its payment: the payer's debit, the merchant's credit, any conversion, and nothing else",
    violations: `SELECT format('order %s is PAID without its payment: it %s', o.id, coalesce(transfer_violation(t), 'is a ' || t.kind)) FROM orders o
      LEFT JOIN transfers t ON t.id = o.transfer_id
      WHERE o.status = 'PAID' AND (t.kind IS DISTINCT FROM 'payment' OR transfer_violation(t) IS NOT NULL)`,
  },
  {
    rule: "9. A payment belongs to exactly one paid order",
    violations: `SELECT format('payment %s belongs to %s paid orders', t.id, count(o.id)) FROM transfers t
      LEFT JOIN orders o ON o.transfer_id = t.id AND o.status = 'PAID' WHERE t.kind = 'payment' GROUP BY t.id HAVING count(o.id) <> 1`,
  },
  {
    rule: "9. A completed refund has its transfer, from the merchant to the payer, and belongs to its order",
    violations: `SELECT format('refund %s has no matching transfer: it %s', r.id, coalesce(transfer_violation(t), 'is a ' || t.kind)) FROM refunds r
      LEFT JOIN transfers t ON t.id = r.transfer_id
      WHERE r.status = 'completed' AND (t.kind IS DISTINCT FROM 'refund' OR transfer_violation(t) IS NOT NULL)`,
  },
  {
    rule: "9. Every hold, return, deposit, withdrawal and top-up has exactly the expected entries",
    violations: `SELECT format('%s %s %s', t.kind, t.id, transfer_violation(t)) FROM transfers t
      WHERE t.kind IN ('hold', 'hold_return', 'deposit', 'withdrawal', 'top_up') AND transfer_violation(t) IS NOT NULL`,
  },
  {
    rule: "9. Pending amounts were held by hold transfers, and rejected amounts were returned by return transfers",
    violations: `SELECT format('%s: %s is a %s', w.id, t.id, t.kind) FROM (
        SELECT id, hold_transfer_id AS transfer_id, 'hold' AS kind FROM payouts UNION ALL SELECT id, hold_transfer_id, 'hold' FROM refunds
        UNION ALL SELECT id, transfer_id, 'hold_return' FROM payouts WHERE status = 'failed'
        UNION ALL SELECT id, transfer_id, 'hold_return' FROM refunds WHERE status = 'failed') w
      JOIN transfers t ON t.id = w.transfer_id WHERE t.kind::text <> w.kind`,
  },
  {
    rule: "8. A conversion credits its amount at its rate, rounded down",
    violations: `SELECT format('conversion %s credits %s', c.id, c.to_amount) FROM conversions c
      JOIN currencies given ON given.code = c.from_currency JOIN currencies received ON received.code = c.to_currency
      CROSS JOIN LATERAL (SELECT c.from_amount * c.rate * power(10::numeric, received.digits) AS worth, power(10::numeric, given.digits) AS unit) AS exact
      WHERE c.to_amount * exact.unit > exact.worth OR (c.to_amount + 1) * exact.unit <= exact.worth`,
  },
  {
    rule: "9. A used conversion has its transfer between two wallets of its shopper, at an effective rate",
    violations: `SELECT format('conversion %s: its transfer %s', c.id, coalesce(transfer_violation(t), 'is a ' || t.kind)) FROM conversions c
      LEFT JOIN transfers t ON t.id = c.transfer_id
      WHERE c.used_at IS NOT NULL AND (t.kind IS DISTINCT FROM 'conversion' OR transfer_violation(t) IS NOT NULL)`,
  },
  {
    rule: "9. A conversion transfer belongs to exactly one used conversion",
    violations: `SELECT format('conversion transfer %s belongs to %s conversions', t.id, count(c.id)) FROM transfers t
      LEFT JOIN conversions c ON c.transfer_id = t.id AND c.used_at IS NOT NULL WHERE t.kind = 'conversion' GROUP BY t.id HAVING count(c.id) <> 1`,
  },
  {
    rule: "9. A refund transfer belongs to exactly one completed refund",
    violations: `SELECT format('refund transfer %s belongs to %s refunds', t.id, count(r.id)) FROM transfers t
      LEFT JOIN refunds r ON r.transfer_id = t.id AND r.status = 'completed' WHERE t.kind = 'refund' GROUP BY t.id HAVING count(r.id) <> 1`,
  },
  {
    rule: "9. Every change of an order has one event, and every event its change",
    violations: `SELECT format('order %s is %s and has %s events %s', o.id, o.state, count(v.id), wanted.name) FROM orders o
      CROSS JOIN LATERAL (VALUES ('pos.order.paid', o.status = 'PAID', o.paid_at), ('pos.order.expired', o.status = 'EXPIRED', o.created_at),
        ('pos.order.cancelled', o.status = 'CANCELLED', o.created_at), ('pos.order.refunded', o.state = 'REFUNDED',
        CASE WHEN o.state = 'REFUNDED' THEN (SELECT max(settled_at) FROM refunds r WHERE r.order_id = o.id) END)) AS wanted (name, happened, earliest)
      LEFT JOIN events v ON v.order_id = o.id AND v.name = wanted.name
      GROUP BY o.id, o.state, wanted.name, wanted.happened, wanted.earliest
      HAVING count(v.id) <> wanted.happened::int AND NOT (count(v.id) = 0 AND ${mayBePruned("wanted.earliest")})`,
  },
  {
    rule: "9. Every completed or failed refund has one event, and every event its refund",
    violations: `SELECT format('refund %s is %s and has %s matching events', coalesce(r.id, v.refund_id), coalesce(r.status::text, 'unknown'), count(v.name))
      FROM (SELECT * FROM refunds WHERE status <> 'pending') r
      FULL JOIN (SELECT order_id, name, refund_id FROM events WHERE name LIKE 'refund.%') v
        ON v.refund_id = r.id AND v.order_id = r.order_id AND v.name = 'refund.' || r.status
      GROUP BY r.id, r.status, r.settled_at, v.refund_id
      HAVING r.id IS NULL OR count(v.name) > 1 OR (count(v.name) = 0 AND NOT ${mayBePruned("r.settled_at")})`,
  },
  {
    rule: "9. Every event matches its order, refund, payout or wallet, and its merchant",
    violations: `SELECT format('event %s contradicts its %s', v.id, split_part(v.name, '.', 1)) FROM events v
      LEFT JOIN orders o ON o.id = v.order_id AND o.merchant_id = v.merchant_id AND o.mode = v.mode
      LEFT JOIN refunds r ON r.id = v.refund_id AND r.order_id = v.order_id
      LEFT JOIN payouts p ON p.id = v.payout_id AND p.merchant_id = v.merchant_id AND p.mode = v.mode
      LEFT JOIN accounts a ON a.id = v.account_id AND a.merchant_id = v.merchant_id AND a.mode = v.mode
      LEFT JOIN currencies c ON c.code = coalesce(r.currency, o.currency, p.sender_currency)
      WHERE (v.body::json ->> 'id', v.body::json ->> 'event') IS DISTINCT FROM (v.id, v.name) OR CASE
        WHEN v.name LIKE 'payout.%' THEN (v.body::json ->> 'payout_id', v.body::json ->> 'reference', (v.body::json ->> 'amount')::numeric, v.body::json ->> 'currency',
            (v.body::json ->> 'fee')::numeric) IS DISTINCT FROM (p.id, p.reference, wire_amount(p.amount, c.digits), p.sender_currency::text, wire_amount(p.fee, c.digits))
        WHEN v.name LIKE 'refund.%' THEN (v.body::json -> 'data' ->> 'refund_id', v.body::json -> 'data' ->> 'order_id', v.body::json -> 'data' ->> 'transaction_id',
            (v.body::json -> 'data' ->> 'raw_amount')::numeric, v.body::json -> 'data' ->> 'currency')
          IS DISTINCT FROM (r.id, o.id, o.trx_id, wire_amount(r.amount, c.digits), r.currency::text)
        WHEN v.name LIKE 'report.%' THEN a.id IS NULL OR v.body::json ->> 'data' IS DISTINCT FROM report_event_data(a, v.report_date)::text
        ELSE (v.body::json -> 'data' ->> 'order_id', (v.body::json -> 'data' ->> 'amount')::numeric, v.body::json -> 'data' ->> 'currency', v.body::json -> 'data' ->> 'trx_id')
          IS DISTINCT FROM (o.id, wire_amount(o.amount, c.digits), o.currency::text, o.trx_id) END`,
  },
  {
    rule: "Single-administrator limits match the latest audit records",
    violations: `SELECT format('%s: the single-administrator limit is %s, the latest record has %s', c.code, c.single_administrator_limit, coalesce(last.agreed, '0')) FROM currencies c
      LEFT JOIN LATERAL (SELECT details::json ->> 'after_minor' AS agreed FROM audit_records
        WHERE subject = c.code AND merchant_id IS NULL AND action IN ('currency.single_limit', 'currency.single_limit.approve') ORDER BY number DESC LIMIT 1) last ON true
      WHERE c.single_administrator_limit::text <> coalesce(last.agreed, '0')`,
  },
  {
    rule: "Decisions by two administrators are audited: requester, approver and content",
    violations: `SELECT format('request %s %s', r.id, approval_violation(r)) FROM approval_requests r WHERE approval_violation(r) IS NOT NULL
      UNION ALL SELECT format('request %s %s', r.id, administrator_request_violation(r)) FROM administrator_requests r
        WHERE administrator_request_violation(r) IS NOT NULL`,
  },
  {
    rule: "Every decision on a pending payout or refund is audited",
    violations: `SELECT format('payout %s is %s without an audited decision', p.id, p.status) FROM payouts p
      WHERE p.hold_transfer_id IS NOT NULL AND p.status <> 'pending'
        AND NOT hold_decision_is_recorded('payout', p.id, p.merchant_id, p.mode, p.status = 'completed', p.amount, p.transfer_id)
      UNION ALL SELECT format('refund %s is %s without an audited decision', r.id, r.status) FROM refunds r
      WHERE r.hold_transfer_id IS NOT NULL AND r.status <> 'pending'
        AND NOT hold_decision_is_recorded('refund', r.id, r.merchant_id, r.mode, r.status = 'completed', r.amount, r.transfer_id)`,
  },
  {
    rule: "A used quote was used before it expired",
    violations: `SELECT format('quote %s was used at %s, it expired at %s', id, used_at, expires_at) FROM (
        SELECT id, used_at, expires_at FROM quotes UNION ALL SELECT id, used_at, expires_at FROM shopper_quotes UNION ALL SELECT id, used_at, expires_at FROM conversions) q WHERE used_at > expires_at`,
  },
  {
    rule: "9. Every event of an order with a callback_url has one delivery to it, or more if it was replayed to a URL",
    violations: `SELECT format('event %s has %s deliveries to its order''s callback_url', v.id, count(d.id)) FROM events v
      JOIN orders o ON o.id = v.order_id AND o.callback_url IS NOT NULL
      LEFT JOIN deliveries d ON d.event_id = v.id AND d.receiver_id IS NULL GROUP BY v.id
      HAVING count(d.id) = 0 OR count(d.id) > 1 AND NOT ${mayBePruned("v.created_at")} AND NOT EXISTS (
        SELECT FROM replays r WHERE r.merchant_id = v.merchant_id AND r.mode = v.mode AND r.receiver_id IS NULL AND v.name = ANY (r.events)
          AND v.created_at >= r.from_time AND v.created_at < r.to_time)`,
  },
  {
    rule: "Events have the reference, reason and metadata of their order, refund or payout",
    violations: `SELECT format('event %s has different texts from its %s', v.id, split_part(v.name, '.', 1)) FROM events v
      LEFT JOIN orders o ON o.id = v.order_id LEFT JOIN refunds r ON r.id = v.refund_id LEFT JOIN payouts p ON p.id = v.payout_id
      CROSS JOIN LATERAL (SELECT coalesce(v.body::json -> 'data', v.body::json) AS body) AS parsed
      WHERE CASE WHEN v.refund_id IS NOT NULL THEN ${differs("r.reason", "reason")} OR ${differs("r.reference", "reference")} OR ${differs("r.metadata", "metadata")}
        WHEN v.payout_id IS NOT NULL THEN ${differs("p.metadata", "metadata")}
        ELSE ${differs("o.reference", "reference")} OR ${differs("o.terminal_id", "terminal_id")} OR ${differs("o.order_number", "order_number")}
          OR ${differs("o.custom", "custom")} OR ${differs("o.metadata", "metadata")} END`,
  },
  {
    rule: "Payment evidence is signed by the payer's passkey",
    violations: `SELECT format('the confirmation of order %s %s', c.order_id, confirmation_violation(c)) FROM payment_confirmations c WHERE confirmation_violation(c) IS NOT NULL`,
  },
  {
    rule: "A paid line of a bulk payout has the payout with its reference and amount",
    violations: `SELECT format('line %s of bulk payout %s has payout %s', l.number, l.batch_id, l.payout_id) FROM payout_batch_lines l JOIN payouts p ON p.id = l.payout_id
      WHERE (p.merchant_id, p.mode, p.reference, p.amount, p.sender_currency, p.receiver_currency)
        <> (l.merchant_id, l.mode, l.reference, l.amount, l.sender_currency, l.receiver_currency)`,
  },
  {
    rule: "Every idempotency key references a resource of its own merchant",
    violations: `SELECT format('key %s of %s references %s', k.key, k.merchant_id, k.resource_id) FROM idempotency_keys k
      LEFT JOIN orders o ON o.id = k.order_id AND o.merchant_id = k.merchant_id AND o.mode = k.mode
      LEFT JOIN refunds r ON r.id = k.refund_id AND r.merchant_id = k.merchant_id AND r.mode = k.mode
      LEFT JOIN payouts p ON p.id = k.payout_id AND p.merchant_id = k.merchant_id AND p.mode = k.mode
      WHERE num_nonnulls(o.id, r.id, p.id) <> 1`,
  },
  {
    rule: "Every delivery has its own merchant's event and endpoint or key",
    violations: `SELECT format('delivery %s of %s belongs to another merchant', d.id, d.merchant_id) FROM deliveries d JOIN events v ON v.id = d.event_id
      LEFT JOIN receivers r ON r.id = d.receiver_id LEFT JOIN credentials c ON c.id = d.credential_id
      WHERE (v.merchant_id, v.mode) <> (d.merchant_id, d.mode) OR (coalesce(r.merchant_id, c.merchant_id), coalesce(r.mode, c.mode)) IS DISTINCT FROM (d.merchant_id, d.mode)`,
  },
  {
    rule: "10. No transfer crosses modes, and every entry has its account",
    violations: `SELECT format('entry %s of transfer %s does not match its transfer, or account %s', e.id, e.transfer_id, e.account_id) FROM entries e
      LEFT JOIN transfers t ON t.id = e.transfer_id AND t.mode = e.mode
      LEFT JOIN accounts a ON a.id = e.account_id AND a.mode = e.mode AND a.currency = e.currency
      WHERE t.id IS NULL OR a.id IS NULL`,
  },
  {
    rule: "List totals match the rows",
    violations: `SELECT format('%s %s %s %s: counted %s, stored %s', merchant_id, kind, day, status, rows, stored) FROM (
        SELECT merchant_id, mode, kind, day, status, sum(rows) AS rows, sum(stored) AS stored FROM (
          SELECT merchant_id, mode, 'order'::counted_kind AS kind, (created_at AT TIME ZONE 'UTC')::date AS day, state::text AS status, 1 AS rows, 0 AS stored FROM orders
          UNION ALL SELECT merchant_id, mode, 'refund', (created_at AT TIME ZONE 'UTC')::date, status::text, 1, 0 FROM refunds
          UNION ALL SELECT merchant_id, mode, 'payout', (created_at AT TIME ZONE 'UTC')::date, status::text, 1, 0 FROM payouts
          UNION ALL SELECT merchant_id, mode, kind, day, status, 0, count FROM day_counts
          UNION ALL SELECT merchant_id, mode, kind, (starts_at AT TIME ZONE 'UTC')::date, status, 0, change FROM count_deltas) AS both_sides
        GROUP BY merchant_id, mode, kind, day, status) AS compared WHERE rows <> stored`,
  },
  {
    rule: "Daily sums match the rows",
    violations: `SELECT format('%s %s %s %s %s: summed %s, stored %s', merchant_id, kind, day, status, currency, rows, stored) FROM (
        SELECT merchant_id, mode, kind, day, status, currency, sum(rows) AS rows, sum(stored) AS stored FROM (
          SELECT merchant_id, mode, 'order'::counted_kind AS kind, (created_at AT TIME ZONE 'UTC')::date AS day, state::text AS status, currency, amount AS rows, 0 AS stored FROM orders
          UNION ALL SELECT merchant_id, mode, 'refund', (created_at AT TIME ZONE 'UTC')::date, status::text, currency, amount, 0 FROM refunds
          UNION ALL SELECT merchant_id, mode, 'payout', (created_at AT TIME ZONE 'UTC')::date, status::text, sender_currency, amount, 0 FROM payouts
          UNION ALL SELECT merchant_id, mode, kind, day, status, currency, 0, amount FROM day_sums
          UNION ALL SELECT merchant_id, mode, kind, (starts_at AT TIME ZONE 'UTC')::date, status, currency, 0, amount FROM count_deltas) AS both_sides
        GROUP BY merchant_id, mode, kind, day, status, currency) AS compared WHERE rows <> stored`,
  },
  {
    rule: "Ten-minute list totals match the rows",
    violations: `SELECT format('%s %s %s %s: counted %s, stored %s', merchant_id, kind, starts_at, status, rows, stored) FROM (
        SELECT merchant_id, mode, kind, starts_at, status, sum(rows) AS rows, sum(stored) AS stored FROM (
          SELECT merchant_id, mode, 'order'::counted_kind AS kind, span_of(created_at) AS starts_at, state::text AS status, 1 AS rows, 0 AS stored FROM orders
          UNION ALL SELECT merchant_id, mode, 'refund', span_of(created_at), status::text, 1, 0 FROM refunds
          UNION ALL SELECT merchant_id, mode, 'payout', span_of(created_at), status::text, 1, 0 FROM payouts
          UNION ALL SELECT merchant_id, mode, kind, starts_at, status, 0, count FROM span_counts
          UNION ALL SELECT merchant_id, mode, kind, span_of(starts_at), status, 0, change FROM count_deltas) AS both_sides
        GROUP BY merchant_id, mode, kind, starts_at, status) AS compared WHERE rows <> stored`,
  },
  {
    rule: "Quarter-hour counts and sums match the rows",
    violations: `SELECT format('%s %s %s %s %s: counted %s, stored %s; summed %s, stored %s', merchant_id, kind, starts_at, status, currency, rows, stored, summed, kept) FROM (
        SELECT merchant_id, mode, kind, starts_at, status, currency, sum(rows) AS rows, sum(stored) AS stored, sum(summed) AS summed, sum(kept) AS kept FROM (
          SELECT merchant_id, mode, 'order'::counted_kind AS kind, quarter_hour_of(created_at) AS starts_at, state::text AS status, currency,
            1 AS rows, 0 AS stored, amount AS summed, 0 AS kept FROM orders
          UNION ALL SELECT merchant_id, mode, 'refund', quarter_hour_of(created_at), status::text, currency, 1, 0, amount, 0 FROM refunds
          UNION ALL SELECT merchant_id, mode, 'payout', quarter_hour_of(created_at), status::text, sender_currency, 1, 0, amount, 0 FROM payouts
          UNION ALL SELECT merchant_id, mode, kind, starts_at, status, currency, 0, count, 0, amount FROM quarter_hour_sums
          UNION ALL SELECT merchant_id, mode, kind, quarter_hour_of(starts_at), status, currency, 0, change, 0, amount FROM count_deltas) AS both_sides
        GROUP BY merchant_id, mode, kind, starts_at, status, currency) AS compared WHERE rows <> stored OR summed <> kept`,
  },
  {
    rule: "Totals of reports match the entries",
    violations: `SELECT format('wallet %s at entry %s: stored %s entries, %s − %s − %s, found %s entries, %s − %s − %s',
        c.account_id, c.entry_id, c.entries, c.credits, c.debits, c.fees, summed.entries, summed.credits, summed.debits, summed.fees)
      FROM entry_checkpoints c LEFT JOIN (
        SELECT account_id, id, count(*) OVER running AS entries, sum(greatest(amount + fee, 0)) OVER running AS credits,
          sum(greatest(-amount - fee, 0)) OVER running AS debits, sum(fee) OVER running AS fees
        FROM (
          SELECT e.account_id, e.id, e.amount, entry_fee(e.amount, p.fee) AS fee FROM entries e LEFT JOIN (
            SELECT transfer_id, fee FROM payouts WHERE transfer_id IS NOT NULL
            UNION ALL SELECT hold_transfer_id, fee FROM payouts WHERE hold_transfer_id IS NOT NULL) p USING (transfer_id)
          WHERE e.account_id IN (SELECT account_id FROM entry_checkpoints)) AS of_wallets
        WINDOW running AS (PARTITION BY account_id ORDER BY id)) AS summed ON summed.account_id = c.account_id AND summed.id = c.entry_id
      WHERE (c.entries, c.credits, c.debits, c.fees) IS DISTINCT FROM (summed.entries, summed.credits, summed.debits, summed.fees)`,
  },
];

/** Balances of the house accounts (fees, fx, issuing, funding). Accounts through which money enters the system have negative balances. */
const POSITIONS = `SELECT a.mode, a.currency, a.kind, coalesce(sum(e.amount), 0)::bigint AS minor, c.digits FROM accounts a
  JOIN currencies c ON c.code = a.currency LEFT JOIN entries e ON e.account_id = a.id
  WHERE a.balance IS NULL GROUP BY a.mode, a.currency, a.kind, c.digits ORDER BY a.mode, a.currency, a.kind`;

const MAX_VIOLATIONS_PER_RULE = 20;

const violationSchema = z.object({ violation: z.string() });
const positionSchema = z.object({
  mode: z.string(),
  currency: z.string(),
  kind: z.string(),
  minor: z.coerce.bigint(),
  digits: z.int(),
});

export type Position = z.output<typeof positionSchema>;
export type LedgerProof = {
  sound: boolean;
  rules: { rule: string; violations: string[] }[];
  positions: Position[];
};

/** Checks every rule in one snapshot, so it can run under live traffic. Positions are in minor units. */
export async function proveLedger(databaseUrl: string): Promise<LedgerProof> {
  return await withConnection(
    { connectionString: databaseUrl, application_name: "tillgate prove-ledger" },
    async (client) => {
      await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
      return proveLedgerIn(client);
    },
  );
}

/** Like {@link proveLedger}, but in the client's open transaction, whose writes it sees. Uses one snapshot only at REPEATABLE READ or higher. */
export async function proveLedgerIn(client: ClientBase): Promise<LedgerProof> {
  const rules: LedgerProof["rules"] = [];
  for (const { rule, violations } of RULES) {
    const query = `SELECT * FROM (${violations} LIMIT ${MAX_VIOLATIONS_PER_RULE}) AS found (violation)`;
    const rows = await queryRows(client, violationSchema, query);
    rules.push({ rule, violations: rows.map(({ violation }) => violation) });
  }
  const positions = await queryRows(client, positionSchema, POSITIONS);
  return { sound: rules.every(({ violations }) => violations.length === 0), rules, positions };
}
