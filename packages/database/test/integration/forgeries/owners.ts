import { randomUUID } from "node:crypto";
import type { Forgery } from "./money.js";
import type { Forger, Scene } from "./scene.js";

/** Error codes for a reference to a missing row, or to another merchant's. */
const NAMED = ["23503"];

const key = (f: Forger, merchant: string, operation: string, names: string) =>
  f.query(
    "INSERT INTO idempotency_keys (merchant_id, mode, operation, key, request_hash, resource_id) VALUES ($1, 'sandbox', $2, 'forged', '', $3)",
    merchant,
    operation,
    names,
  );

const delivery = (f: Forger, s: Scene, to: { endpoint?: string; credential?: string }) =>
  f.query(
    `INSERT INTO deliveries (mode, event_id, receiver_id, credential_id, address)
     SELECT 'sandbox', id, $2, $3, 'https://other.example.com/hook' FROM events WHERE order_id = $1 AND name = 'pos.order.paid'`,
    s.paid.id,
    to.endpoint ?? null,
    to.credential ?? null,
  );

const replay = (f: Forger, s: Scene, of: { endpoint?: string; credential?: string; delivery?: string }) =>
  f.query(
    `INSERT INTO replays (mode, merchant_id, receiver_id, credential_id, address, events, from_time, to_time, last_turn, last_number, total, event_id, delivery_id)
     SELECT 'sandbox', $1, $2, $3, CASE WHEN $2::uuid IS NULL THEN 'https://other.example.com/hook' END, '{}', now() - interval '1 day', now(), 1, 1, 1,
       (SELECT event_id FROM deliveries WHERE id = $4), $4`,
    s.merchant,
    of.endpoint ?? null,
    of.credential ?? null,
    of.delivery ?? null,
  );

export const OWNERS: Forgery[] = [
  [
    "another merchant's idempotency key that references this merchant's payout",
    NAMED,
    (f, s) => key(f, s.other, "execute_payout", s.payout.id),
  ],
  [
    "another merchant's idempotency key that references this merchant's order",
    NAMED,
    (f, s) => key(f, s.other, "create_order", s.paid.id),
  ],
  [
    "another merchant's idempotency key that references this merchant's refund",
    NAMED,
    (f, s) => key(f, s.other, "refund_payment", s.heldRefund.id),
  ],
  ["a key of a missing merchant", NAMED, (f, s) => key(f, randomUUID(), "create_order", s.paid.id)],
  [
    "an event of a missing merchant",
    ["TG096"],
    (f, s) =>
      f.query(
        "INSERT INTO events (mode, merchant_id, name, order_id) VALUES ('sandbox', $1, 'pos.order.paid', $2)",
        randomUUID(),
        s.paid.id,
      ),
  ],
  [
    "a key that references a missing payout",
    NAMED,
    (f, s) => key(f, s.merchant, "execute_payout", "POAAAAAAAA"),
  ],
  ["a payout key that references an order", NAMED, (f, s) => key(f, s.merchant, "execute_payout", s.paid.id)],
  ["a key of an unknown operation", ["23514"], (f, s) => key(f, s.merchant, "forged", s.paid.id)],
  [
    "a delivery of an event to another merchant's endpoint",
    NAMED,
    (f, s) => delivery(f, s, { endpoint: s.otherEndpoint }),
  ],
  [
    "a delivery signed with another merchant's key",
    NAMED,
    (f, s) => delivery(f, s, { credential: s.otherCredential }),
  ],
  [
    "a delivery reassigned to another merchant",
    NAMED,
    (f, s) => f.query("UPDATE deliveries SET merchant_id = $2 WHERE id = $1", s.otherDelivery, s.merchant),
  ],
  [
    "a delivery reassigned to another merchant's event",
    NAMED,
    (f, s) =>
      f.query(
        "UPDATE deliveries SET event_id = (SELECT id FROM events WHERE order_id = $2 AND name = 'pos.order.paid') WHERE id = $1",
        s.otherDelivery,
        s.paid.id,
      ),
  ],
  ["a replay to another merchant's endpoint", NAMED, (f, s) => replay(f, s, { endpoint: s.otherEndpoint })],
  [
    "a replay signed with another merchant's key",
    NAMED,
    (f, s) => replay(f, s, { credential: s.otherCredential }),
  ],
  [
    "a replay of another merchant's delivery",
    NAMED,
    (f, s) => replay(f, s, { credential: s.credential, delivery: s.otherDelivery }),
  ],
  [
    "a timeline entry about another merchant's endpoint",
    NAMED,
    (f, s) =>
      f.query(
        "INSERT INTO timeline_entries (merchant_id, mode, kind, receiver_id, details) VALUES ($1, 'sandbox', 'receiver.enabled', $2, '{}')",
        s.merchant,
        s.otherEndpoint,
      ),
  ],
];
