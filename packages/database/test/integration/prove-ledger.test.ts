import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proveLedger } from "../../src/prove-ledger.js";
import {
  cancelOrder,
  createOrder,
  expireOrder,
  type OrderRow,
  paidOrder,
  payOrder,
  refundPayment,
} from "../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../sandbox-database.js";
import { brokenRules, type Damage, expectReported, proofAfter } from "./broken-books.js";

describe("proveLedger", () => {
  let database: SandboxDatabase;
  let paid: OrderRow;
  let refunded: OrderRow;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    paid = await paidOrder(database, { callbackUrl: "https://shop.example.com/hook" });
    refunded = await paidOrder(database, { amount: 1_000n });
    await refundPayment(database, refunded, { amount: 400n });
    await refundPayment(database, refunded);
    await cancelOrder(database, await createOrder(database));
    await expireOrder(database, await createOrder(database, { expiresInSeconds: 0 }));
    await createOrder(database);
    const dana = record(record(database.shoppers, "Dana"), "USD");
    await payOrder(database, await createOrder(database, { currency: "USD", amount: 1n }), dana);
  });
  afterAll(() => database.drop());

  it("passes on a sound ledger, and reports the issued amount", async () => {
    expect(await brokenRules(database)).toEqual([]);
    const proof = await proveLedger(database.url);
    const wallets = await database.pool.query<{ sum: bigint }>(
      "SELECT sum(balance)::bigint AS sum FROM accounts WHERE mode = 'sandbox' AND currency = 'EUR'",
    );
    expect(proof.positions).toContainEqual({
      mode: "sandbox",
      currency: "EUR",
      kind: "issuing",
      minor: -(wallets.rows[0]?.sum ?? 0n),
      digits: 2,
    });
    expect(proof.positions.filter(({ mode }) => mode === "live").every(({ minor }) => minor === 0n)).toBe(
      true,
    );
  });

  const damages: Damage[] = [
    [
      "an extra minor unit debited from a house account",
      [/^1\. A transfer's entries sum to zero/, /^9\. Every hold/],
      (client) =>
        client.query(
          `UPDATE entries SET amount = amount - 1 WHERE id = (SELECT e.id FROM entries e JOIN accounts a ON a.id = e.account_id
           WHERE a.kind = 'issuing' ORDER BY e.id LIMIT 1)`,
        ),
    ],
    [
      "a transfer without entries",
      [/^1\. Every transfer has entries/, /^9\. Every hold/],
      (client) =>
        client.query(
          "INSERT INTO transfers (id, mode, kind) VALUES (gen_random_uuid(), 'sandbox', 'deposit')",
        ),
    ],
    [
      "a guarding trigger disabled",
      [/^2\. /],
      (client) => client.query("ALTER TABLE entries DISABLE TRIGGER entries_are_final"),
    ],
    [
      "a guarding trigger dropped",
      [/^2\. /],
      (client) => client.query("DROP TRIGGER orders_are_reported ON orders"),
    ],
    [
      "a trigger that fires only for replicas",
      [/^2\. /],
      (client) => client.query("ALTER TABLE accounts ENABLE REPLICA TRIGGER accounts_are_guarded"),
    ],
    [
      "a transfer that corrects a later transfer",
      [/^3\. /, /^9\. Every hold/],
      (client) =>
        client.query(
          `UPDATE transfers SET corrects = (SELECT id FROM transfers ORDER BY created_at DESC LIMIT 1)
           WHERE id = (SELECT id FROM transfers ORDER BY created_at LIMIT 1)`,
        ),
    ],
    [
      "a transfer corrected twice",
      [/^3\. A transfer is/, /^9\. Every hold/],
      async (client) => {
        await client.query("DROP INDEX transfers_corrects_mode_key");
        await client.query(
          `UPDATE transfers SET corrects = (SELECT id FROM transfers ORDER BY created_at LIMIT 1)
           WHERE id IN (SELECT id FROM transfers WHERE kind = 'deposit' ORDER BY created_at DESC LIMIT 2)`,
        );
      },
    ],
    [
      "a negative wallet with matching entries",
      [/^4\. /],
      async (client) => {
        await client.query("ALTER TABLE accounts DROP CONSTRAINT accounts_never_below_zero");
        const dana = record(record(database.shoppers, "Dana"), "USD");
        await client.query("SET session_replication_role = origin");
        await client.query(
          "INSERT INTO transfers (id, mode, kind, external_reference) VALUES ('00000000-0000-4000-8000-000000000001', 'sandbox', 'withdrawal', 'by hand')",
        );
        await client.query(
          `INSERT INTO entries (transfer_id, account_id, mode, currency, amount) VALUES
             ('00000000-0000-4000-8000-000000000001', $1, 'sandbox', 'USD', -1000),
             ('00000000-0000-4000-8000-000000000001', $2, 'sandbox', 'USD', 1000)`,
          [dana, record(record(database.house, "issuing"), "USD")],
        );
        await client.query("SET CONSTRAINTS ALL IMMEDIATE");
      },
    ],
    [
      "a balance that differs from its entries",
      [/^5\. /],
      (client) =>
        client.query("UPDATE accounts SET balance = balance + 1 WHERE id = $1", [
          record(database.merchant.wallets, "EUR"),
        ]),
    ],
    [
      "an order with a refunded total above its refunds",
      [/^6\. /],
      (client) => client.query("UPDATE orders SET refunded = refunded + 1 WHERE id = $1", [paid.id]),
    ],
    [
      "refunds that exceed the payment",
      [
        /^6\. /,
        /^9\. Every hold/,
        /^9\. Every event matches/,
        /^Daily sums match the/,
        /^Quarter-hour counts and sums/,
      ],
      async (client) => {
        await client.query("ALTER TABLE orders DROP CONSTRAINT orders_refunds_within_payment");
        await client.query("ALTER TABLE orders DROP CONSTRAINT orders_state_is_derived");
        await client.query("UPDATE orders SET amount = 900, payer_amount = 900 WHERE id = $1", [refunded.id]);
        // The payment is changed with the order, so that only the refunds exceed it.
        await client.query(
          "UPDATE entries SET amount = sign(amount) * 900 WHERE transfer_id = $1 AND abs(amount) = 1000",
          [refunded.transfer_id],
        );
        await client.query(
          `UPDATE accounts a SET balance = (SELECT sum(amount) FROM entries WHERE account_id = a.id)
           WHERE id IN (SELECT account_id FROM entries WHERE transfer_id = $1)`,
          [refunded.transfer_id],
        );
      },
    ],
    [
      "a paid order whose payment has a different amount",
      [
        /^9\. A paid order has its payment/,
        /^9\. Every hold/,
        /^9\. Every event matches/,
        /^Daily sums match the/,
        /^Quarter-hour counts and sums/,
      ],
      (client) =>
        client.query("UPDATE orders SET amount = amount + 1, payer_amount = payer_amount + 1 WHERE id = $1", [
          paid.id,
        ]),
    ],
    [
      "a payment without an order",
      [/^9\. A payment belongs to exactly one paid order/],
      (client) =>
        client.query(
          "UPDATE transfers SET kind = 'payment', external_reference = NULL WHERE id = (SELECT id FROM transfers LIMIT 1)",
        ),
    ],
    [
      "refunds whose transfers have different amounts",
      [/^9\. A completed refund has its transfer/],
      async (client) => {
        // The two refunds of 400 and 600 swap their transfers.
        await client.query("DROP INDEX refunds_one_per_transfer");
        await client.query(
          "UPDATE refunds r SET transfer_id = other.transfer_id FROM refunds other WHERE other.order_id = r.order_id AND other.id <> r.id",
        );
      },
    ],
    [
      "a refund transfer without a refund",
      [/^9\. A refund transfer belongs to exactly one completed refund/],
      (client) =>
        client.query(
          "UPDATE transfers SET kind = 'refund', external_reference = NULL WHERE id = (SELECT id FROM transfers WHERE kind = 'deposit' LIMIT 1)",
        ),
    ],
    [
      "a settled order without its event",
      [/^9\. Every change of/],
      (client) =>
        client.query("DELETE FROM events WHERE order_id <> $1 AND name = 'pos.order.expired'", [paid.id]),
    ],
    [
      "an event without its change",
      [/^9\. Every change of/, /^9\. Every event matches/],
      (client) =>
        client.query(
          `UPDATE events SET order_id = (SELECT id FROM orders WHERE status = 'PENDING'), name = 'pos.order.cancelled'
           WHERE name = 'pos.order.cancelled'`,
        ),
    ],
    [
      "a refund without its event",
      [/^9\. Every completed or failed refund/],
      (client) =>
        client.query(
          "DELETE FROM events WHERE id = (SELECT id FROM events WHERE name = 'refund.completed' LIMIT 1)",
        ),
    ],
    [
      "an event without its refund",
      [/^9\. Every completed or failed refund/, /^9\. Every event matches/],
      (client) =>
        client.query(
          `INSERT INTO events (id, mode, merchant_id, name, order_id, refund_id, body)
           SELECT 'evt_stray', mode, merchant_id, name, order_id, 'RX-1', body FROM events WHERE name = 'refund.completed' LIMIT 1`,
        ),
    ],
    [
      "a report event for another merchant's wallet",
      [/^9\. Every event matches/],
      (client) =>
        client.query(
          `INSERT INTO events (id, mode, merchant_id, name, account_id, report_date, body)
           SELECT 'evt_stray', 'sandbox', m.id, 'report.ready', a.id, '2026-11-26',
             json_build_object('id', 'evt_stray', 'event', 'report.ready', 'data', report_event_data(a, '2026-11-26'))
           FROM accounts a JOIN merchants m ON m.id <> a.merchant_id WHERE a.kind = 'merchant' AND a.mode = 'sandbox' LIMIT 1`,
        ),
    ],
    [
      "an event without a delivery",
      [/^9\. Every event of an order with a callback_url has one delivery/],
      (client) => client.query("DELETE FROM deliveries"),
    ],
    [
      "an event with a second delivery that is not from a replay",
      [/^9\. Every event of an order with a callback_url has one delivery/],
      (client) =>
        client.query(
          `INSERT INTO deliveries (mode, event_id, credential_id, address, merchant_id, queue_id, lane_id)
           SELECT mode, event_id, credential_id, address, merchant_id, queue_id, lane_id FROM deliveries WHERE receiver_id IS NULL LIMIT 1`,
        ),
    ],
    [
      "an entry of an account that does not exist",
      [/^10\. /, /^9\. Every hold/],
      (client) =>
        client.query(
          `UPDATE entries SET account_id = gen_random_uuid() WHERE id = (SELECT e.id FROM entries e JOIN accounts a ON a.id = e.account_id
           WHERE a.kind = 'issuing' ORDER BY e.id LIMIT 1)`,
        ),
    ],
    [
      "balanced entries of a transfer that does not exist",
      [/^10\. /],
      (client) =>
        client.query(
          `INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
           SELECT '00000000-0000-4000-8000-000000000000', a.id, a.mode, a.currency, amount
           FROM accounts a, unnest('{-1,1}'::bigint[]) AS amount WHERE a.kind = 'issuing' AND a.mode = 'sandbox' AND a.currency = 'EUR'`,
        ),
    ],
    [
      "a live transfer between sandbox accounts",
      [/^10\. /, /^9\. Every hold/],
      (client) => client.query("UPDATE transfers SET mode = 'live' WHERE kind = 'deposit'"),
    ],
    [
      "a list total that differs from the rows",
      [/^List totals match the/],
      (client) =>
        client.query(
          "SELECT roll_up_counters(10000); UPDATE day_counts SET count = count + 1 WHERE status = 'PENDING'",
        ),
    ],
    [
      "a ten-minute total that differs from the rows",
      [/^Ten-minute list totals match/],
      (client) =>
        client.query(
          "SELECT roll_up_counters(10000); UPDATE span_counts SET count = count - 1 WHERE status = 'PENDING'",
        ),
    ],
    [
      "a daily sum that differs from the rows",
      [/^Daily sums match the/],
      (client) =>
        client.query(
          "SELECT roll_up_counters(10000); UPDATE day_sums SET amount = amount + 1 WHERE status = 'PENDING'",
        ),
    ],
    [
      "a quarter-hour sum that differs from the rows",
      [/^Quarter-hour counts and sums/],
      (client) =>
        client.query(
          "SELECT roll_up_counters(10000); UPDATE quarter_hour_sums SET count = count + 1 WHERE status = 'PENDING'",
        ),
    ],
    [
      "a counter change without a row",
      [/^List totals match the/, /^Ten-minute list totals match/, /^Quarter-hour counts and sums/],
      (client) => client.query("UPDATE count_deltas SET change = change + 1 WHERE kind = 'refund'"),
    ],
    [
      "entries dated an hour before entries with lower numbers",
      [/^2\. Numbers of entries and events/],
      (client) =>
        client.query(
          `UPDATE transfers SET created_at = created_at - interval '61 minutes'
           WHERE kind = 'deposit' AND id = (SELECT transfer_id FROM entries ORDER BY id OFFSET 4 LIMIT 1)`,
        ),
    ],
    [
      "an event numbered before older events",
      [/^2\. Numbers of entries and events/],
      (client) =>
        client.query(
          "UPDATE events SET number = -1, created_at = created_at + interval '61 minutes' WHERE name = 'pos.order.cancelled'",
        ),
    ],
    [
      "an order whose time of payment is an hour before its transfer's",
      [/^2\. Records of money/],
      (client) =>
        client.query("UPDATE orders SET paid_at = paid_at - interval '61 minutes' WHERE id = $1", [paid.id]),
    ],
    [
      "a refund whose time of settlement is an hour after its event's",
      [/^2\. Records of money/],
      (client) =>
        client.query("UPDATE refunds SET settled_at = settled_at + interval '61 minutes' WHERE amount = 400"),
    ],
    [
      "an order whose reference differs from its events",
      [/^Events have the reference,/],
      (client) => client.query("UPDATE orders SET reference = 'another' WHERE id = $1", [paid.id]),
    ],
    [
      "a refund whose reason differs from its event",
      [/^Events have the reference,/],
      (client) => client.query("UPDATE refunds SET reason = 'another' WHERE amount = 400"),
    ],
    [
      "evidence of a payment by the passkey of another shopper",
      [/^Payment evidence is signed/],
      async (client) => {
        await client.query(
          `INSERT INTO wallet_passkeys (id, mode, wallet_user_id, credential_id, public_key, counter)
           SELECT id, 'sandbox', id, 'forged', '', 0 FROM wallet_users WHERE name LIKE 'Dana%'`,
        );
        await client.query(
          `INSERT INTO payment_confirmations (order_id, mode, passkey_id, credential_id, public_key, origin, text, client_data, authenticator_data, signature)
           SELECT $1, 'sandbox', id, credential_id, public_key, '', '', '', '', '' FROM wallet_passkeys`,
          [paid.id],
        );
      },
    ],
    [
      "a key that references another merchant's order",
      [/^Every idempotency key references/],
      (client) =>
        client.query(
          `INSERT INTO idempotency_keys (merchant_id, mode, operation, key, request_hash, resource_id)
           VALUES ($1, 'sandbox', 'create_order', 'forged', '', $2)`,
          [database.otherMerchant.id, paid.id],
        ),
    ],
    [
      "a delivery whose merchant differs from its event's",
      [/^Every delivery has its/],
      (client) => client.query("UPDATE deliveries SET merchant_id = $1", [database.otherMerchant.id]),
    ],
    ...[["entries"], ["credits"], ["debits"], ["fees"], ["credits", "debits"]].map<Damage>((columns) => [
      `a stored total of reports whose ${columns.join(" and ")} are too high by one`,
      [/^Totals of reports match/],
      async (client) => {
        await client.query(
          `INSERT INTO entry_checkpoints (account_id, entry_id, entries, credits, debits, fees)
           SELECT account_id, max(id), count(*), coalesce(sum(amount) FILTER (WHERE amount > 0), 0), coalesce(-sum(amount) FILTER (WHERE amount < 0), 0), 0
           FROM entries WHERE account_id = $1 GROUP BY account_id`,
          [database.merchant.wallets.EUR],
        );
        const set = columns.map((column) => `${column} = ${column} + 1`);
        await client.query(`UPDATE entry_checkpoints SET ${set.join(", ")}`);
      },
    ]),
    [
      "an approved request without its audit records",
      [/^Decisions by two administrators/],
      (client) =>
        client.query(
          `INSERT INTO approval_requests (id, kind, mode, currency, amount, status, requested_by_id, decided_by_id, decided_at)
           SELECT gen_random_uuid(), 'single_limit', 'live', 'EUR', 5, 'approved', one.id, two.id, now() FROM console_users one, console_users two
           WHERE one.role = 'administrator' AND two.role = 'administrator' AND one.id <> two.id LIMIT 1`,
        ),
    ],
    [
      "a request for an administrator without its audit record",
      [/^Decisions by two administrators/],
      (client) =>
        client.query(
          `INSERT INTO administrator_requests (id, kind, email, half_ciphertext, encryption_key_id, requested_by_id)
           SELECT gen_random_uuid(), 'add', 'third@example.com', '', 'k', id FROM console_users WHERE role = 'administrator' LIMIT 1`,
        ),
    ],
  ];

  it.each(damages)("reports %s, and nothing else", (_, rules, work) => expectReported(database, rules, work));

  it("passes even if a primary's clock was ten minutes ahead and the next primary's clock ten minutes behind", () =>
    expectReported(database, [], async (client) => {
      const shift = (order: string, minutes: number) =>
        client.query(
          `UPDATE transfers SET created_at = created_at + make_interval(mins => $1)
           WHERE id = (SELECT t.id FROM transfers t JOIN entries e ON e.transfer_id = t.id WHERE t.kind = 'deposit' ORDER BY e.id ${order} LIMIT 1)`,
          [minutes],
        );
      await shift("ASC", 10);
      await shift("DESC", -10);
    }));

  it("reports the row of each violation, and at most 20 violations per rule", async () => {
    const { rules } = await proofAfter(database, async (client) => {
      await client.query("UPDATE accounts SET balance = balance + 1 WHERE kind = 'merchant'");
      await client.query(
        "INSERT INTO transfers (id, mode, kind) SELECT gen_random_uuid(), 'sandbox', 'deposit' FROM generate_series(1, 30)",
      );
    });
    const empty = rules.find(({ rule }) => rule.startsWith("1. Every transfer"))?.violations ?? [];
    expect(empty).toHaveLength(20);
    expect(empty[0]).toMatch(/^transfer [0-9a-f-]{36} has no entries$/);
    const balances = rules.find(({ rule }) => rule.startsWith("5. "))?.violations ?? [];
    expect(balances.join()).toContain(record(database.merchant.wallets, "EUR"));
  });
});
