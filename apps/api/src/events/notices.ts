import type { TimelineEntryModel } from "@tillgate/database";
import { type Loop, queryFirstRow, queryRows } from "@tillgate/service";
import type pg from "pg";
import type { Logger } from "pino";
import { z } from "zod";
import type { Manager } from "../audit/administrator.js";
import type { Context } from "../context.js";
import { type Mailer, toOneLine } from "../mail/mailer.js";
import { createMailQueue } from "../mail/queue.js";
import { startMails } from "../mail/send-mails.js";
import type { EndpointScope } from "./endpoints/read.js";
import { hostForLog } from "./outbox/address-guard.js";
import { findLikelyCause } from "./outbox/likely-cause.js";

export const startNoticeMails = ({ pool, mailer, retentionDays, log }: NoticeMailsOptions): Loop =>
  startMails({
    kind: "notice",
    queue: createMailQueue(pool, "notice_mails"),
    mailer,
    log,
    async compose(id) {
      const mail = await readNoticeMail(pool, id);
      return mail && { to: mail.to, attempts: mail.attempts, ...createNoticeText(mail, retentionDays) };
    },
  });

const MAX_COUNTED = 10_000;

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
  /** Number of attempts, including the current attempt. */
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
  /** The endpoint's current state, which may have changed since the notice. */
  removed: z.boolean(),
  disabled: z.boolean(),
  failing: z.boolean(),
  /** {@link MAX_COUNTED} + 1 means more than the maximum. */
  waiting: z.int(),
});

const countSchema = z.object({ status: z.enum(["waiting", "sent", "given_up"]), count: z.int() });

type NoticeMail = z.output<typeof noticeMailSchema>;

/** @returns undefined if the notice was deleted with its timeline entry. */
const readNoticeMail = (pool: pg.Pool, id: string): Promise<NoticeMail | undefined> =>
  queryFirstRow(pool, noticeMailSchema, READ, [id, MAX_COUNTED + 1]);

export type NoticeMailCounts = Record<z.output<typeof countSchema>["status"], number>;

/** Counts notice e-mails by status, for notices that the timeline still retains. */
export async function countNoticeMails(pool: pg.Pool): Promise<NoticeMailCounts> {
  const rows = await queryRows(pool, countSchema, COUNT);
  return {
    waiting: 0,
    sent: 0,
    given_up: 0,
    ...Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
}

type NoticeText = { subject: string; text: string };

/** Formats a time as `2026-11-22 13:05 UTC`. */
const formatTime = (time: Date | string): string => {
  const iso = new Date(time).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
};

/**
 * Creates the text of a notice, which identifies the endpoint by host and ID, because path and query may contain a secret.
 * @param retentionDays how long missed events can be sent.
 */
function createNoticeText(mail: NoticeMail, retentionDays: number): NoticeText {
  const { details, waiting } = mail;
  const host = hostForLog(mail.receiverAddress);
  const failure = { errorKind: details.error_kind, httpStatus: details.http_status };
  const facts: [string, string | null][] = [
    ["Endpoint", `${host} (${mail.mode} mode)`],
    ["Endpoint ID", mail.receiverId],
    ["Failing since", details.failing_since && formatTime(details.failing_since)],
    ["Last response", details.http_status === null ? "none" : `HTTP ${details.http_status}`],
    ["Likely cause", findLikelyCause(failure)],
    ["Pending events", waiting > MAX_COUNTED ? `more than ${MAX_COUNTED}` : String(waiting)],
  ];
  const { subject, opening, parts } =
    mail.kind === "receiver.disabled" ? disabledTemplate(mail, retentionDays) : failingTemplate(mail);
  return {
    subject: `Tillgate: webhooks to ${host} ${subject}`,
    text: [
      `${opening} ${toOneLine(mail.merchantName)}.`,
      facts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join("\n"),
      ...describeChanges(mail),
      ...parts,
      "You’re receiving this e-mail because you are a contact for these webhooks. Please do not reply.",
    ].join("\n\n"),
  };
}

function describeChanges({ kind, noticedAt, removed, disabled: isDisabled, failing }: NoticeMail): string[] {
  const at = formatTime(noticedAt);
  if (removed)
    return [`The endpoint was removed after this notification was created (${at}). No action is needed.`];
  if (kind === "receiver.disabled" && !isDisabled)
    return [`The endpoint was re-enabled after this notification was created (${at}).`];
  if (kind === "receiver.warning" && isDisabled)
    return [`The endpoint was disabled after this notification was created (${at}).`];
  if (kind === "receiver.warning" && !failing)
    return [`The endpoint has recovered since this notification was created (${at}). No action is needed.`];
  return [];
}

type NoticeTemplate = { subject: string; opening: string; parts: string[] };

const failingTemplate = ({ details }: NoticeMail): NoticeTemplate => ({
  subject: "are failing",
  opening: "Tillgate cannot deliver webhooks to an endpoint of",
  parts: [
    "WHAT TO DO\nMake the endpoint respond with 2xx. Pending events are then delivered automatically.",
    `WHAT HAPPENS NEXT\nTillgate keeps retrying with increasing delays.${
      details.disabled_from === null
        ? ""
        : ` If the endpoint is still failing on ${formatTime(details.disabled_from)}, it will be disabled and its pending events will not be delivered.`
    }`,
  ],
});

const disabledTemplate = ({ receiverId, details }: NoticeMail, retentionDays: number): NoticeTemplate => ({
  subject: "are disabled",
  opening: `Tillgate has disabled a webhook endpoint ${details.reason === "gone" ? "because it responded with 410 (gone)" : "because it kept failing for days"}. It belongs to`,
  parts: [
    `WHAT TO DO
1. Make the endpoint respond with 2xx.
2. Enable it and send the missed events in the console, under Webhooks. Or ask your Tillgate operator to run:
   npm run admin -- webhooks enable ${receiverId} --by <e-mail>
   npm run admin -- webhooks missed ${receiverId}
   npm run admin -- webhooks send-missed ${receiverId} --from <time> --to <time> --by <e-mail>
If you no longer need the endpoint, remove it in the console, or: npm run admin -- webhooks remove ${receiverId} --by <e-mail>`,
    `WHAT HAPPENS NEXT
No events are sent to this endpoint until it is enabled. Payments are not affected. Events are stored for ${retentionDays} days and can be sent until then.`,
  ],
});

/** Maximum notices in the list; the timeline has all of them. */
export const MAX_NOTICES = 50;

/** Number that fits into a bigint. */
const NUMBER = /^\d{1,18}$/;

export async function listNotices(
  { database: { prisma } }: Pick<Context, "database">,
  { merchantId, mode }: EndpointScope,
): Promise<TimelineEntryModel[]> {
  const notices = await prisma.notice.findMany({
    where: { merchantId, mode, dismissedAt: null },
    orderBy: { id: "desc" },
    take: MAX_NOTICES,
    include: { entry: true },
  });
  return notices.map(({ entry }) => entry);
}

/** Dismisses a notice for all of the merchant's users. @returns false for an unknown or already dismissed notice. */
export async function dismissNotice(
  { database: { prisma } }: Pick<Context, "database">,
  { merchantId, mode, id, by }: EndpointScope & { id: string; by: Manager },
): Promise<boolean> {
  if (!NUMBER.test(id)) return false;
  const { count } = await prisma.notice.updateMany({
    where: { id: BigInt(id), merchantId, mode, dismissedAt: null },
    data: { dismissedAt: new Date(), dismissedById: by.id },
  });
  return count === 1;
}

type NoticeMailsOptions = {
  pool: pg.Pool;
  /** Undefined if e-mail is not configured. Queued e-mails are then abandoned after a while. */
  mailer: Mailer | undefined;
  retentionDays: number;
  log: Pick<Logger, "info" | "warn" | "error">;
};
