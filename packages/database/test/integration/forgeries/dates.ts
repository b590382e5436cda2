import { randomUUID } from "node:crypto";
import { NOT_ALLOWED } from "../../ledger-calls.js";
import type { Forgery } from "./money.js";
import type { Forger, Scene } from "./scene.js";

/** Error codes for a row that is not dated with the current time: DATED for orders and payouts, REFUND_DATED for refunds. */
const DATED = ["TG094"];
const REFUND_DATED = ["TG095"];

const DAY_MS = 86_400_000;
const yesterday = () => new Date(Date.now() - DAY_MS);
const tomorrow = () => new Date(Date.now() + DAY_MS);

const pay = (f: Forger, s: Scene, at: Date) =>
  f.pay(
    [
      [s.amelie, -40],
      [s.wallet, 40],
    ],
    { at },
  );
const payOut = (f: Forger, s: Scene, dates: { createdAt?: Date; processedAt?: Date }) =>
  f.payOut(
    [
      [s.wallet, -1_030],
      [s.fees, 30],
      [s.samuel, 1_000],
    ],
    dates,
  );
const refund = (f: Forger, s: Scene, dates: { createdAt?: Date; settledAt?: Date }) =>
  f.refund(
    [
      [s.wallet, -100],
      [s.testShopper, 100],
    ],
    dates,
  );

/** Inserts a copy of the pending order, created at a time given in SQL. */
const newOrder = (f: Forger, s: Scene, createdAt: string) =>
  f.query(
    `INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('id', $2::text, 'token', $2::text, 'created_at', ${createdAt}))).*
     FROM orders o WHERE id = $1`,
    s.pending.id,
    randomUUID(),
  );

export const DATES: Forgery[] = [
  [
    "an entry numbered before all others",
    [NOT_ALLOWED],
    (f, s) =>
      f.query(
        "INSERT INTO entries (id, transfer_id, account_id, mode, currency, amount) VALUES (-1, $1, $2, 'sandbox', 'EUR', -5), (-2, $1, $3, 'sandbox', 'EUR', 5)",
        s.deposit,
        s.wallet,
        s.issuing,
      ),
  ],
  [
    "entries with explicit numbers",
    [NOT_ALLOWED],
    (f, s) =>
      f.query(
        "INSERT INTO entries (id, transfer_id, account_id, mode, currency, amount) OVERRIDING SYSTEM VALUE VALUES (-1, $1, $2, 'sandbox', 'EUR', -5)",
        s.deposit,
        s.wallet,
      ),
  ],
  [
    "a transfer backdated by a week",
    [NOT_ALLOWED],
    (f) =>
      f.query(
        "INSERT INTO transfers (id, mode, kind, external_reference, created_at) VALUES ($1, 'sandbox', 'deposit', 'dated', now() - interval '7 days')",
        randomUUID(),
      ),
  ],
  ...[
    ["an event backdated by a year, so that it would be pruned", "created_at", "now() - interval '1 year'"],
    ["an event positioned before those already read", "turn", "1"],
    ["an event numbered before all others", "number", "-1"],
  ].map(
    ([what = "", column = "", value = ""]): Forgery => [
      what,
      [NOT_ALLOWED],
      async (f, s) => {
        await f.query(
          "UPDATE orders SET status = 'CANCELLED', state = 'CANCELLED', version = version + 1 WHERE id = $1",
          s.pending.id,
        );
        await f.query(
          `INSERT INTO events (id, mode, merchant_id, name, order_id, body, ${column}) VALUES ('evt_dated', 'sandbox', $1, 'pos.order.cancelled', $2, '', ${value})`,
          s.merchant,
          s.pending.id,
        );
        if (column === "created_at") {
          await f.query("SET CONSTRAINTS ALL IMMEDIATE");
          await f.query("DELETE FROM deliveries WHERE event_id = 'evt_dated'");
          await f.query("DELETE FROM events WHERE id = 'evt_dated'");
        }
      },
    ],
  ),
  [
    "an audit record numbered before all others",
    [NOT_ALLOWED],
    (f, s) =>
      f.query(
        "INSERT INTO audit_records (id, merchant_id, administrator_id, action, subject, details) VALUES (-1, NULL, $1, 'x', 'y', '{}')",
        s.administrators[0],
      ),
  ],
  ["an order backdated to yesterday", DATED, (f, s) => newOrder(f, s, "now() - interval '1 day'")],
  ["an order dated tomorrow", DATED, (f, s) => newOrder(f, s, "now() + interval '1 day'")],
  ["an order paid yesterday", DATED, (f, s) => pay(f, s, yesterday())],
  ["an order paid tomorrow", DATED, (f, s) => pay(f, s, tomorrow())],
  [
    "a payout backdated to yesterday, to use that day's unused limit",
    DATED,
    (f, s) => payOut(f, s, { createdAt: yesterday() }),
  ],
  ["a payout processed tomorrow", DATED, (f, s) => payOut(f, s, { processedAt: tomorrow() })],
  [
    "a held payout decided yesterday",
    DATED,
    (f, s) =>
      f.query(
        "UPDATE payouts SET status = 'failed', transfer_id = $2, processed_at = $3 WHERE id = $1",
        s.heldPayout.id,
        s.deposit,
        yesterday(),
      ),
  ],
  ["a refund backdated to yesterday", REFUND_DATED, (f, s) => refund(f, s, { createdAt: yesterday() })],
  ["a refund settled tomorrow", REFUND_DATED, (f, s) => refund(f, s, { settledAt: tomorrow() })],
  [
    "a held refund decided yesterday",
    REFUND_DATED,
    (f, s) =>
      f.query(
        "UPDATE refunds SET status = 'failed', transfer_id = $2, settled_at = $3 WHERE id = $1",
        s.heldRefund.id,
        s.deposit,
        yesterday(),
      ),
  ],
];
