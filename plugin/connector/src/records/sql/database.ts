import { type ColumnType, type Generated, type Kysely, type RawBuilder, sql } from "kysely";
import type { DueKind, FoundDifference, OutgoingRefundState, PaymentState } from "../model.js";

/** Minor units; far below the safe integer limit. */
type Money = ColumnType<number, bigint, never>;

/** The tables of `migrations/`, the same in PostgreSQL and SQLite. Times are milliseconds since 1970. */
export type Tables = {
  claims: { name: string; token: string; expires_at: number };
  payments: {
    id: Generated<number>;
    store_id: string;
    store_order_id: number;
    idempotency_key: string;
    request: string;
    amount_minor: Money;
    currency: string;
    state: Generated<PaymentState>;
    replaced_at: number | null;
    tillgate_order_id: string | null;
    payment_url: string | null;
    qr_data: string | null;
    expires_at: number | null;
    trx_id: string | null;
    cancel_reason: string | null;
    given_up_at: number | null;
    created_at: number;
    mode: "sandbox" | "live" | null;
    client_id: string | null;
  };
  due: {
    store_id: string;
    kind: DueKind;
    subject: string;
    store_order_id: number;
    due_at: number;
    wanted_at: number | null;
    lease: Generated<number>;
    failures: Generated<number>;
  };
  events: {
    store_id: string;
    event_id: string;
    event: string;
    tillgate_order_id: string;
    body: string;
    tries: Generated<number>;
    received_at: number;
    done_at: number | null;
    outcome: string | null;
  };
  followed_refunds: {
    store_id: string;
    refund_id: string;
    store_order_id: number;
    amount_minor: Money;
    currency: string;
    record_id: number | null;
    created_at: number;
    recorded_at: number | null;
    failed_at: number | null;
  };
  outgoing_refunds: {
    store_id: string;
    record_id: number;
    store_order_id: number;
    tillgate_order_id: string;
    trx_id: string;
    idempotency_key: string;
    reference: string;
    reason: string;
    amount_minor: Money;
    currency: string;
    state: Generated<OutgoingRefundState>;
    refund_id: string | null;
    deleted_at: number | null;
    created_at: number;
  };
  cursors: { store_id: string; name: string; value: string };
  reports: { store_id: string; name: string; value: string; reported_at: number };
  problems: {
    store_id: string;
    kind: string;
    subject: string;
    store_order_id: number | null;
    text: string;
    times: Generated<number>;
    first_at: number;
    last_at: number;
  };
  comparisons: {
    store_id: string;
    run: number;
    asked_by: "night" | "person";
    started_at: number;
    ended_at: number | null;
    after_id: Generated<number>;
    failures: Generated<number>;
    compared: Generated<number>;
    skipped: Generated<number>;
    live_compared: Generated<number>;
    live_skipped: Generated<number>;
  };
  differences: {
    store_id: string;
    payment_id: number;
    subject: FoundDifference["subject"];
    subject_id: string;
    field: FoundDifference["field"];
    kind: FoundDifference["kind"];
    repair: string | null;
    store_order_id: number;
    text: string;
    advice: string;
    run: number;
    found_at: number;
    accepted_at: number | null;
  };
  requests: { name: string; count: number; ends_at: number };
};

export type Database = {
  db: Kysely<Tables>;
  /** The database's time, in milliseconds since 1970. */
  now: RawBuilder<number>;
  /** Whether the database has concurrent writers, and therefore needs SKIP LOCKED. */
  skipsLocked: boolean;
};

/** Returns the time this many milliseconds from now, by the database's clock. */
export const inMs = ({ now }: Pick<Database, "now">, milliseconds: number): RawBuilder<number> =>
  sql<number>`${now} + ${Math.round(milliseconds)}`;
