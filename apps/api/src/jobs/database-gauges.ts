import { queryFirstRow, queryOneRow } from "@tillgate/service";
import type pg from "pg";
import { Gauge, type Registry } from "prom-client";
import { z } from "zod";
import { countNoticeMails } from "../events/notices.js";
import { type Availability, withTimeLimit } from "../platform/availability.js";
import { readArchiving, readNewestBackup, readQueueCounts } from "../platform/health.js";

/** How long one gauge waits for the database, in milliseconds. */
const READ_LIMIT_MS = 2_000;

const LOCKS = `
  SELECT count(*) FILTER (WHERE wait_event_type = 'Lock')::int AS waiting,
    coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)) FILTER (WHERE pid <> pg_backend_pid()), 0)::float8 AS "oldestSeconds"
  FROM pg_stat_activity WHERE datname = current_database()`;
const locksSchema = z.object({ waiting: z.int(), oldestSeconds: z.number() });

const NEWEST_PROOF = `
  SELECT extract(epoch FROM finished_at)::float8 AS "finishedAt", sound FROM ledger_proofs
  WHERE finished_at IS NOT NULL ORDER BY requested_at DESC LIMIT 1`;
const proofSchema = z.object({ finishedAt: z.number(), sound: z.boolean().nullable() });

type GaugeOptions = {
  name: string;
  help: string;
  label?: string;
  /** Reads the values by label. A gauge without a label has one value, under any key. */
  read: () => Promise<Record<string, number>>;
};

/**
 * Adds the gauges that are read from the database. Every process reports the same values, and `/metrics` uses those of the first process. While the
 * database is unavailable, labelled gauges are omitted and other gauges are NaN.
 */
export function addDatabaseGauges(
  registry: Registry,
  { availability, pool }: { availability: Pick<Availability, "reachable">; pool: pg.Pool },
): void {
  const add = ({ name, help, label, read: readValues }: GaugeOptions): void => {
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      aggregator: "first",
      registers: [registry],
      async collect() {
        this.reset();
        // A gauge without labels is 0 after a reset, which would be a valid value.
        if (label === undefined) this.set(Number.NaN);
        const values = availability.reachable
          ? await withTimeLimit(readValues(), READ_LIMIT_MS).catch(() => undefined)
          : undefined;
        for (const [of, value] of Object.entries(values ?? {})) {
          if (label === undefined) this.set(value);
          else this.set({ [label]: of }, value);
        }
      },
    });
  };
  const queues = coalesce(() => readQueueCounts(pool));
  const locks = coalesce(() => queryOneRow(pool, locksSchema, LOCKS));
  const newestBackup = coalesce(() => readNewestBackup(pool));
  const archiving = coalesce(() => readArchiving(pool));
  const newestProof = coalesce(() => queryFirstRow(pool, proofSchema, NEWEST_PROOF));
  add({
    name: "tillgate_waiting",
    help: "Pending deliveries, orders to expire, approvals and counter changes to roll up, each counted up to 10,000",
    label: "what",
    read: async () => {
      const counts = await queues();
      return {
        deliveries_due: counts.due,
        deliveries_retrying: counts.retrying,
        deliveries_under_way: counts.leased,
        orders_overdue: counts.overdueOrders,
        orders_failing_to_expire: counts.expiryFailures,
        counts_unfolded: counts.unfolded,
        payouts: counts.payouts,
        refunds: counts.refunds,
        requests: counts.requests,
      };
    },
  });
  add({
    name: "tillgate_delivery_queue_age_seconds",
    help: "How long the oldest due delivery has waited",
    read: async () => ({ age: (await queues()).overdueSeconds }),
  });
  add({
    name: "tillgate_database_lock_waits",
    help: "Database sessions waiting for a lock",
    read: async () => ({ waiting: (await locks()).waiting }),
  });
  add({
    name: "tillgate_database_oldest_transaction_seconds",
    help: "Age of the oldest open transaction in the database",
    read: async () => ({ oldest: (await locks()).oldestSeconds }),
  });
  add({
    name: "tillgate_ledger_sound",
    help: "1 if the newest ledger proof found no violations, 0 if it found some or failed; NaN before the first",
    read: async () => {
      const newest = await newestProof();
      return newest === undefined ? {} : { sound: newest.sound === true ? 1 : 0 };
    },
  });
  add({
    name: "tillgate_ledger_proved_timestamp_seconds",
    help: "When the newest ledger proof finished; NaN before the first",
    read: async () => {
      const newest = await newestProof();
      return newest === undefined ? {} : { proved: newest.finishedAt };
    },
  });
  add({
    name: "tillgate_backup_good",
    help: "1 if the newest backup was taken, restored and verified, 0 if not; NaN before the first",
    read: async () => {
      const newest = await newestBackup();
      return newest === undefined ? {} : { good: newest.error === null ? 1 : 0 };
    },
  });
  add({
    name: "tillgate_backup_timestamp_seconds",
    help: "When a backup was last restored and verified; NaN before the first",
    read: async () => {
      const verifiedAt = (await newestBackup())?.verifiedAt ?? null;
      return verifiedAt === null ? {} : { verified: verifiedAt.getTime() / 1_000 };
    },
  });
  add({
    name: "tillgate_archive_failing",
    help: "1 while PostgreSQL cannot archive its WAL, 0 while it can; NaN if archiving is off",
    read: async () => {
      const state = await archiving();
      return state === undefined ? {} : { failing: state.failingSince === null ? 0 : 1 };
    },
  });
  add({
    name: "tillgate_archive_waiting_segments",
    help: "Complete WAL segments that are not archived yet; NaN before the first is archived",
    read: async () => {
      const waiting = (await archiving())?.waitingSegments ?? null;
      return waiting === null ? {} : { waiting };
    },
  });
  add({
    name: "tillgate_notice_mails",
    help: "Notice e-mails to merchants' users, by status",
    label: "status",
    read: () => countNoticeMails(pool),
  });
}

/** Wraps a read, so that gauges collected at the same time share one result. */
function coalesce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let pending: Promise<Result> | undefined;
  return () => {
    pending ??= work().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
