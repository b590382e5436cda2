import { firstRowOf, rowsOf } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";

/** How many waiting deliveries are counted at most. */
export const MAX_COUNTED = 10_000;

const READ = `
  SELECT m.id, m.address AS "to", m.attempts, t.kind, t.mode, t.details, t.created_at AS "noticedAt", merchant.name AS "merchantName",
    r.id AS "receiverId", r.address AS "receiverAddress", r.removed_at IS NOT NULL AS removed, r.disabled_at IS NOT NULL AS disabled,
    r.failures_in_row > 0 AS failing,
    (SELECT count(*)::int FROM (SELECT FROM deliveries d WHERE d.receiver_id = r.id AND d.status IN ('pending', 'queued', 'held') LIMIT $2) AS counted) AS waiting
  FROM notice_mails m JOIN timeline_entries t ON t.id = m.notice_id JOIN receivers r ON r.id = t.receiver_id
    JOIN merchants merchant ON merchant.id = t.merchant_id
  WHERE m.id = $1`;
const COUNT = "SELECT status::text, count(*)::int AS count FROM notice_mails GROUP BY status";

const noticeMailSchema = z.object({
  id: z.uuid(),
  to: z.string(),
  /** The one under way included. */
  attempts: z.int(),
  kind: z.enum(["receiver.warning", "receiver.disabled"]),
  mode: z.enum(["sandbox", "live"]),
  details: z.object({
    http_status: z.int().nullable().default(null),
    error_kind: z.string().nullable().default(null),
    reason: z.string().nullable().default(null),
    failing_since: z.string().nullable().default(null),
    disabled_from: z.string().nullable().default(null),
  }),
  noticedAt: z.date(),
  merchantName: z.string(),
  receiverId: z.uuid(),
  receiverAddress: z.string(),
  /** The endpoint now: it may have changed since the notice. */
  removed: z.boolean(),
  disabled: z.boolean(),
  failing: z.boolean(),
  /** {@link MAX_COUNTED} + 1 stands for more. */
  waiting: z.int(),
});

const countSchema = z.object({ status: z.enum(["waiting", "sent", "given_up"]), count: z.int() });

/** A notice on its way to one person, with the facts for the mail. */
export type NoticeMail = z.output<typeof noticeMailSchema>;

/** @returns undefined for one that was deleted with its endpoint's timeline. */
export const readNoticeMail = (pool: pg.Pool, id: string): Promise<NoticeMail | undefined> =>
  firstRowOf(pool, noticeMailSchema, READ, [id, MAX_COUNTED + 1]);

export type NoticeMailCounts = Record<z.output<typeof countSchema>["status"], number>;

/** How many mails there are of each kind, as long as the timeline keeps their notices. */
export async function countNoticeMails(pool: pg.Pool): Promise<NoticeMailCounts> {
  const rows = await rowsOf(pool, countSchema, COUNT);
  return {
    waiting: 0,
    sent: 0,
    given_up: 0,
    ...Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
}
