import { type Mode, UTC } from "@tillgate/contract";
import { formatAmount } from "@tillgate/money";
import { queryFirstRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { toOneLine } from "../mail/mailer.js";
import { getCurrency } from "../money/currencies.js";
import { type Attention, listAttention, readSums } from "./home.js";
import { readMonthlyReport, writeMonthlyReport } from "./monthly-report-mail.js";
import { isMonthlyReportSubscriber, parseMonthlyReport } from "./monthly-reports.js";

const READ = `
  SELECT d.topic::text, d.merchant_id AS "merchantId", d.about, d.address AS "to", d.attempts, m.name AS merchant,
    (SELECT count(*)::int FROM refunds WHERE status = 'pending' AND (d.merchant_id IS NULL OR merchant_id = d.merchant_id)) AS refunds,
    (SELECT count(*)::int FROM payouts WHERE status = 'pending' AND (d.merchant_id IS NULL OR merchant_id = d.merchant_id)) AS payouts,
    CASE WHEN d.merchant_id IS NULL THEN
      (SELECT count(*)::int FROM approval_requests WHERE status = 'pending') + (SELECT count(*)::int FROM administrator_requests WHERE status = 'pending')
      ELSE 0 END AS requests
  FROM digest_mails d LEFT JOIN merchants m ON m.id = d.merchant_id WHERE d.id = $1`;

const digestSchema = z.object({
  topic: z.enum(["approvals", "summary", "monthly_report"]),
  merchantId: z.string().nullable(),
  about: z.string(),
  to: z.string(),
  attempts: z.int(),
  /** Null for the whole platform. */
  merchant: z.string().nullable(),
  refunds: z.int(),
  payouts: z.int(),
  requests: z.int(),
});
type Digest = z.output<typeof digestSchema>;

const ATTENTION: Readonly<Record<Attention["kind"], string>> = {
  endpoint_failing: "A webhook endpoint is failing",
  endpoint_disabled: "A webhook endpoint is disabled",
  payment_not_delivered:
    "The webhook of a paid order has not been delivered; the shop may not know about the payment",
  refund_waiting: "A refund is waiting for approval",
  payout_waiting: "A payout is waiting for approval",
  limit_nearly_reached: "A payout limit is almost or fully used",
  credential_ending: "An old client secret expires soon",
  endpoint_secret_ending: "An old signing secret expires soon",
  shop_differs: "Orders of a shop differ from Tillgate",
  shop_not_compared: "A shop has not been compared for two days",
};

const countText = (count: number, singular: string, plural: string): string =>
  `${count} ${count === 1 ? singular : plural}`;

type DigestText = { subject: string; text: string[] };
const COMPOSERS: Readonly<
  Record<Digest["topic"], (context: Context, digest: Digest) => Promise<DigestText | undefined>>
> = {
  approvals: async (context, digest) => createApprovalDigest(context, digest),
  summary: createSummaryDigest,
  monthly_report: createMonthlyReport,
};

/** Composes a digest from current data. @returns undefined if the digest was deleted or is no longer needed. */
export async function composeDigest(context: Context, id: string) {
  const digest = await queryFirstRow(context.database.pool, digestSchema, READ, [id]);
  const composed = digest && (await COMPOSERS[digest.topic](context, digest));
  if (!composed) return undefined;
  const { subject, text } = composed;
  return { to: digest.to, attempts: digest.attempts, subject, text: text.join("\n\n") };
}

/** Returns undefined if the console's URL is not configured. */
const pageUrl = ({ config: { consoleUrl } }: Context, page: string): string | undefined =>
  consoleUrl === undefined ? undefined : new URL(page, `${consoleUrl}/`).href;

const linkTo = (context: Context, page: string): string => {
  const url = pageUrl(context, page);
  return url === undefined ? "See the console." : `See the console: ${url}`;
};

function createApprovalDigest(
  context: Context,
  { merchantId, merchant, refunds, payouts, requests }: Digest,
): DigestText {
  const waiting = [
    refunds > 0 && countText(refunds, "refund", "refunds"),
    payouts > 0 && countText(payouts, "payout", "payouts"),
    requests > 0 && countText(requests, "administrator request", "administrator requests"),
  ].filter((part) => part !== false);
  const forMerchant = merchant === null ? "" : ` for ${toOneLine(merchant)}`;
  const text = waiting.join(", ");
  const end = [
    "You receive these e-mails at most once an hour, and only when there is something new.",
    linkTo(context, merchantId === null ? "admin/approvals" : `m/${merchantId}/live/refunds`),
  ];
  if (waiting.length === 0)
    return {
      subject: `Tillgate: no approvals pending${forMerchant}`,
      text: [`No approvals are pending${forMerchant} anymore.`, ...end],
    };
  return {
    subject: `Tillgate: pending approval${forMerchant}: ${text}`,
    text: [
      merchant === null
        ? `Waiting for an administrator’s approval: ${text}.`
        : `${toOneLine(merchant)} has ${text} waiting for approval by a Tillgate administrator.`,
      ...end,
    ],
  };
}

async function createSummaryDigest(
  context: Context,
  { merchantId, merchant, about }: Digest,
): Promise<DigestText> {
  const day = about.slice(-"2026-11-21".length);
  const sections = await Promise.all(
    ["live" as const, "sandbox" as const].map((mode) => createSummary(context, merchantId ?? "", mode, day)),
  );
  return {
    subject: `Tillgate: summary for ${toOneLine(merchant ?? "")}, ${day}`,
    text: [
      `Activity for ${toOneLine(merchant ?? "")} on ${day} (UTC).`,
      ...sections,
      linkTo(context, `m/${merchantId}/live`),
    ],
  };
}

async function createMonthlyReport(
  context: Context,
  { merchantId, merchant, about, to: address }: Digest,
): Promise<DigestText | undefined> {
  if (merchantId === null || !(await isMonthlyReportSubscriber(context, { address, merchantId })))
    return undefined;
  const month = parseMonthlyReport(about);
  const report = await readMonthlyReport(context, { merchantId, ...month });
  const urlOf = (page: string) => pageUrl(context, `m/${merchantId}/${month.mode}/${page}`);
  return report && writeMonthlyReport({ ...report, merchant: toOneLine(merchant ?? "") }, urlOf);
}

async function createSummary(context: Context, merchantId: string, mode: Mode, day: string): Promise<string> {
  const [{ sums }, attention] = await Promise.all([
    readSums(context, { merchantId, mode, timeZone: UTC }),
    listAttention(context, { merchantId, mode }),
  ]);
  const lines = await Promise.all(
    sums.map(async ({ currency, days }) => {
      const daySum = days.find((sum) => sum.day === day);
      const moneyCurrency = await getCurrency(context, currency);
      const formatMoney = (amount: bigint) => formatAmount(amount, moneyCurrency);
      const { payments = 0n, refunds = 0n, payouts = 0n } = daySum ?? {};
      return payments === 0n && refunds === 0n && payouts === 0n
        ? undefined
        : `Payments ${formatMoney(payments)}, refunds ${formatMoney(refunds)}, payouts ${formatMoney(payouts)}`;
    }),
  );
  const present = lines.filter((line) => line !== undefined);
  const kinds = [...new Set(attention.map(({ kind }) => ATTENTION[kind]))];
  return [
    mode.toUpperCase(),
    ...(present.length === 0 ? ["No payments, refunds or payouts."] : present),
    ...(kinds.length === 0 ? [] : ["Needs attention:", ...kinds.map((kind) => `- ${kind}`)]),
  ].join("\n");
}

/** Queues yesterday's (UTC) summaries. The unique key allows one e-mail per recipient, however often this statement runs. */
const SUMMARIES = `
  INSERT INTO digest_mails (topic, merchant_id, about, address)
  SELECT 'summary', s.merchant_id, s.merchant_id || ' ' || ((clock_timestamp() AT TIME ZONE 'UTC')::date - 1), s.address
  FROM mail_subscriptions s JOIN merchants m ON m.id = s.merchant_id
  WHERE s.topic = 'summary' AND m.suspended_at IS NULL
  ON CONFLICT DO NOTHING`;

/** Each recipient gets a digest at most once per clock hour, and only if something created after the last digest is pending. */
const APPROVALS = `
  WITH waiting AS (
    SELECT merchant_id, created_at FROM refunds WHERE status = 'pending'
    UNION ALL SELECT merchant_id, created_at FROM payouts WHERE status = 'pending'
    UNION ALL SELECT NULL, requested_at FROM approval_requests WHERE status = 'pending'
    UNION ALL SELECT NULL, requested_at FROM administrator_requests WHERE status = 'pending'),
  people AS (
    SELECT NULL::uuid AS merchant_id, email AS address FROM console_users WHERE role = 'administrator' AND disabled_at IS NULL
    UNION ALL SELECT merchant_id, address FROM mail_subscriptions WHERE topic = 'approvals')
  INSERT INTO digest_mails (topic, merchant_id, about, address)
  SELECT 'approvals', p.merchant_id, coalesce(p.merchant_id::text, 'house') || to_char(clock_timestamp() AT TIME ZONE 'UTC', ' YYYY-MM-DD HH24'), p.address
  FROM people p
  WHERE EXISTS (
    SELECT FROM waiting w WHERE (p.merchant_id IS NULL OR w.merchant_id = p.merchant_id) AND w.created_at > coalesce((
      SELECT max(d.created_at) FROM digest_mails d
      WHERE d.topic = 'approvals' AND d.address = p.address AND d.merchant_id IS NOT DISTINCT FROM p.merchant_id), '-infinity'))
  ON CONFLICT DO NOTHING`;

/** Queues yesterday's summaries and digests of pending approvals. @returns the number of queued e-mails. */
export async function planDigests({ database: { pool } }: Pick<Context, "database">): Promise<number> {
  let planned = 0;
  for (const statement of [SUMMARIES, APPROVALS]) planned += (await pool.query(statement)).rowCount ?? 0;
  return planned;
}
