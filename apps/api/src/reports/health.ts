import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { countNoticeMails, type NoticeMailCounts } from "../events/notices.js";
import {
  type Archiving,
  type NewestBackup,
  type QueueCounts,
  readArchiving,
  readNewestBackup,
  readQueueCounts,
} from "../platform/health.js";

const MAX_LISTED = 50;

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

export type Health = QueueCounts & {
  endpoints: z.output<typeof endpointSchema>[];
  mails: NoticeMailCounts;
  /** The newest backup, successful or not; null if there is none. */
  backup: NewestBackup | null;
  /** Null if PostgreSQL does not archive its WAL. */
  archiving: Archiving | null;
};

const ENDPOINTS = `
  SELECT r.id, r.merchant_id AS "merchantId", m.name AS merchant, r.mode::text AS mode, r.address, r.failures_in_row AS "failuresInRow",
    r.failing_since AS "failingSince", r.disabled_at AS "disabledAt"
  FROM receivers r JOIN merchants m ON m.id = r.merchant_id
  WHERE r.removed_at IS NULL AND (r.disabled_at IS NOT NULL OR r.failures_in_row > 0)
  ORDER BY r.disabled_at IS NULL, r.failing_since, r.id LIMIT ${MAX_LISTED}`;

export async function readHealth({ database: { pool } }: Context): Promise<Health> {
  const [counts, endpoints, mails, backup, archiving] = await Promise.all([
    readQueueCounts(pool),
    queryRows(pool, endpointSchema, ENDPOINTS),
    countNoticeMails(pool),
    readNewestBackup(pool),
    readArchiving(pool),
  ]);
  return { ...counts, endpoints, mails, backup: backup ?? null, archiving: archiving ?? null };
}
