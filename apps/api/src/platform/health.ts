import { firstRowOf, oneRowOf, type Queryable } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";

const backupSchema = z.object({ finishedAt: z.date(), error: z.string().nullable() });

const NEWEST = `
  SELECT finished_at AS "finishedAt", error FROM backup_reports ORDER BY finished_at DESC LIMIT 1`;

/** The newest backup; undefined if Tillgate never took one. */
export const readNewestBackup = (queryable: Queryable): Promise<z.output<typeof backupSchema> | undefined> =>
  firstRowOf(queryable, backupSchema, NEWEST);

/** Counting stops here, so that a long queue costs no more. */
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

/** Number of pending orders, deliveries and decisions, each at most 10,000, and how long the first delivery has been waiting. */
export type QueueCounts = z.output<typeof countsSchema>;

const counted = (rows: string): string =>
  `(SELECT count(*)::int FROM (SELECT FROM ${rows} LIMIT ${MAX_COUNTED}) AS counted)`;

/** Each count reads the partial index of its rows. */
const COUNTS = `
  SELECT ${counted("orders WHERE status = 'PENDING' AND expires_at < clock_timestamp() - interval '1 minute'")} AS "overdueOrders",
    ${counted("expiry_failures")} AS "expiryFailures",
    ${counted("deliveries WHERE status = 'queued' AND leased_until IS NULL")} AS due,
    ${counted("deliveries WHERE status = 'pending'")} AS retrying,
    ${counted("deliveries WHERE leased_until IS NOT NULL")} AS leased,
    greatest(0, extract(epoch FROM clock_timestamp() - (SELECT min(next_attempt_at) FROM
      (SELECT next_attempt_at FROM deliveries WHERE status = 'queued' AND leased_until IS NULL LIMIT ${MAX_COUNTED}) AS counted)))::float8 AS "overdueSeconds",
    ${counted("count_deltas")} AS unfolded,
    ${counted("payouts WHERE status = 'pending'")} AS payouts,
    ${counted("refunds WHERE status = 'pending'")} AS refunds,
    ${counted("approval_requests WHERE status = 'pending'")} + ${counted("administrator_requests WHERE status = 'pending'")} AS requests`;

export const readQueueCounts = (pool: pg.Pool): Promise<QueueCounts> => oneRowOf(pool, countsSchema, COUNTS);
