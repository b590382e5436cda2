import { oneRowOf, rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { countNoticeMails, type NoticeMailCounts } from "../../mail/notice-mails.js";

/** The most endpoints in trouble that are shown; counting of queues ends there too, so that a long one costs no more. */
const MAX_LISTED = 50;
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
const endpointSchema = z.object({
  id: z.string(),
  merchantId: z.string(),
  merchant: z.string(),
  mode: z.string(),
  address: z.string(),
  failuresInRow: z.int(),
  failingSince: z.date().nullable(),
  disabledAt: z.date().nullable(),
});

/** How the system does: queues, endpoints in trouble, mails, and what waits for administrators. */
export type Health = z.output<typeof countsSchema> & {
  endpoints: z.output<typeof endpointSchema>[];
  mails: NoticeMailCounts;
};

const counted = (rows: string): string =>
  `(SELECT count(*)::int FROM (SELECT FROM ${rows} LIMIT ${MAX_COUNTED}) AS counted)`;

/** Each count enters the partial index of what it counts. */
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

const ENDPOINTS = `
  SELECT r.id, r.merchant_id AS "merchantId", m.name AS merchant, r.mode::text AS mode, r.address, r.failures_in_row AS "failuresInRow",
    r.failing_since AS "failingSince", r.disabled_at AS "disabledAt"
  FROM receivers r JOIN merchants m ON m.id = r.merchant_id
  WHERE r.removed_at IS NULL AND (r.disabled_at IS NOT NULL OR r.failures_in_row > 0)
  ORDER BY r.disabled_at IS NULL, r.failing_since, r.id LIMIT ${MAX_LISTED}`;

export async function readHealth({ database: { pool } }: Context): Promise<Health> {
  const [counts, endpoints, mails] = await Promise.all([
    oneRowOf(pool, countsSchema, COUNTS),
    rowsOf(pool, endpointSchema, ENDPOINTS),
    countNoticeMails(pool),
  ]);
  return { ...counts, endpoints, mails };
}
