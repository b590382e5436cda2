import { type Queryable, queryFirstRow, queryOneRow } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";

const backupSchema = z.object({
  finishedAt: z.date(),
  error: z.string().nullable(),
  verifiedAt: z.date().nullable(),
});

/** `verifiedAt` is when a backup was last restored and verified; null if no backup has been verified. */
export type NewestBackup = z.output<typeof backupSchema>;

const NEWEST = `
  SELECT finished_at AS "finishedAt", error, (SELECT max(finished_at) FROM backup_reports WHERE error IS NULL) AS "verifiedAt"
  FROM backup_reports ORDER BY finished_at DESC LIMIT 1`;

/** Returns the newest report, whether or not the backup succeeded; undefined if there is no report. */
export const readNewestBackup = (queryable: Queryable): Promise<NewestBackup | undefined> =>
  queryFirstRow(queryable, backupSchema, NEWEST);

const archivingSchema = z.object({
  archivedAt: z.date().nullable(),
  failingSince: z.date().nullable(),
  waitingSegments: z.int().nullable(),
});

/**
 * `failingSince` is null if the last attempt succeeded. `waitingSegments` counts complete, unarchived segments; null before the first is archived.
 */
export type Archiving = z.output<typeof archivingSchema>;

// A segment's name consists of its timeline and the high and low part of its number, each in 8 hex digits. The current segment is not complete yet.
const ARCHIVING = `
  WITH archiver AS (SELECT *, pg_size_bytes(current_setting('wal_segment_size')) AS bytes FROM pg_stat_archiver),
  numbered AS (
    SELECT *, CASE WHEN last_archived_wal ~ '^[0-9A-F]{24}' THEN
      ('x' || substr(last_archived_wal, 9, 8))::bit(32)::bigint * (4294967296 / bytes) + ('x' || substr(last_archived_wal, 17, 8))::bit(32)::bigint END AS archived
    FROM archiver)
  SELECT last_archived_time AS "archivedAt", CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN last_failed_time END AS "failingSince",
    CASE WHEN archived IS NOT NULL THEN greatest(0, floor(pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') / bytes) - 1 - archived)::int END AS "waitingSegments"
  FROM numbered WHERE current_setting('archive_mode') <> 'off'`;

/** Returns undefined if this PostgreSQL does not archive. */
export const readArchiving = (queryable: Queryable): Promise<Archiving | undefined> =>
  queryFirstRow(queryable, archivingSchema, ARCHIVING);

/** Counts stop at this number, so that a long queue costs no more. */
const MAX_COUNTED = 10_000;

const countsSchema = z.object({
  overdueOrders: z.int(),
  expiryFailures: z.int(),
  due: z.int(),
  retrying: z.int(),
  leased: z.int(),
  overdueSeconds: z.number(),
  unfolded: z.int(),
  payouts: z.int(),
  refunds: z.int(),
  requests: z.int(),
});

/** Each count stops at {@link MAX_COUNTED} rows of a table. Orders count as overdue after a minute. */
export type QueueCounts = z.output<typeof countsSchema>;

const cappedCountSql = (rows: string): string =>
  `(SELECT count(*)::int FROM (SELECT FROM ${rows} LIMIT ${MAX_COUNTED}) AS counted)`;

/** Each count reads the partial index of its rows. */
const COUNTS = `
  SELECT ${cappedCountSql("orders WHERE status = 'PENDING' AND expires_at < clock_timestamp() - interval '1 minute'")} AS "overdueOrders",
    ${cappedCountSql("expiry_failures")} AS "expiryFailures",
    ${cappedCountSql("deliveries WHERE status = 'queued' AND leased_until IS NULL")} AS due,
    ${cappedCountSql("deliveries WHERE status = 'pending'")} AS retrying,
    ${cappedCountSql("deliveries WHERE leased_until IS NOT NULL")} AS leased,
    greatest(0, extract(epoch FROM clock_timestamp() - (SELECT min(next_attempt_at) FROM
      (SELECT next_attempt_at FROM deliveries WHERE status = 'queued' AND leased_until IS NULL LIMIT ${MAX_COUNTED}) AS counted)))::float8 AS "overdueSeconds",
    ${cappedCountSql("count_deltas")} AS unfolded,
    ${cappedCountSql("payouts WHERE status = 'pending'")} AS payouts,
    ${cappedCountSql("refunds WHERE status = 'pending'")} AS refunds,
    ${cappedCountSql("approval_requests WHERE status = 'pending'")} + ${cappedCountSql("administrator_requests WHERE status = 'pending'")} AS requests`;

export const readQueueCounts = (pool: pg.Pool): Promise<QueueCounts> =>
  queryOneRow(pool, countsSchema, COUNTS);
