import { ErrorCode, hasRight, memberRoleSchema, modeSchema, toLocalDay } from "@tillgate/contract";
import { inTransaction, queryFirstRow, queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import type { ConsoleAccess } from "../identity/console/access.js";
import { nextMonth, startOfMonth, toMonth } from "./months.js";

type Database = Pick<Context, "database">;
type Member = Pick<ConsoleAccess, "merchantId" | "by">;

const subscriptionSchema = z.object({
  /** The time zone in which the months start and end. */
  timeZone: z.string(),
  /** The next month to report. */
  month: z.string(),
});
export type MonthlyReportSubscription = z.output<typeof subscriptionSchema>;

const SUBSCRIPTION = `
  SELECT time_zone AS "timeZone", month FROM monthly_report_subscriptions WHERE user_id = $1 AND merchant_id = $2`;

export const readMonthlyReportSubscription = (
  { database: { pool } }: Database,
  { merchantId, by }: Member,
): Promise<MonthlyReportSubscription | undefined> =>
  queryFirstRow(pool, subscriptionSchema, SUBSCRIPTION, [by.id, merchantId]);

// Selects the member, because an administrator may view the merchant without being a member. Replaces the month and its end together, because
// two concurrent first requests may be in different months.
const SUBSCRIBE = `
  INSERT INTO monthly_report_subscriptions (user_id, merchant_id, time_zone, month, month_ends_at)
  SELECT user_id, merchant_id, $3, $4, $5 FROM console_members WHERE user_id = $1 AND merchant_id = $2
  ON CONFLICT (user_id, merchant_id) DO UPDATE SET
    time_zone = excluded.time_zone, month = excluded.month, month_ends_at = excluded.month_ends_at`;

/**
 * Subscribes a member from the current month on, or changes the time zone of an existing subscription.
 * @throws OperationError RoleNotAllowed for a user who is not a member.
 */
export async function subscribeToMonthlyReport(
  { database: { pool } }: Database,
  { merchantId, by }: Member,
  timeZone: string,
): Promise<void> {
  const member = [by.id, merchantId];
  await inTransaction(pool, async (client) => {
    // Locked, so that no worker reports the month and moves on to the next month in between.
    const stored = await queryFirstRow(client, subscriptionSchema, `${SUBSCRIPTION} FOR UPDATE`, member);
    const month = stored?.month ?? toMonth(toLocalDay(new Date(), timeZone));
    const endsAt = startOfMonth(nextMonth(month), timeZone);
    const { rowCount } = await client.query(SUBSCRIBE, [...member, timeZone, month, endsAt]);
    if (rowCount === 0) throw new OperationError(ErrorCode.RoleNotAllowed);
  });
}

export async function unsubscribeFromMonthlyReport(
  { database: { pool } }: Database,
  { merchantId, by }: Member,
): Promise<void> {
  const sql = "DELETE FROM monthly_report_subscriptions WHERE user_id = $1 AND merchant_id = $2";
  await pool.query(sql, [by.id, merchantId]);
}

const IS_SUBSCRIBER = `
  SELECT EXISTS (
    SELECT FROM monthly_report_subscriptions s JOIN console_members c USING (user_id, merchant_id)
    JOIN console_users u ON u.id = s.user_id
    WHERE u.email = $1 AND s.merchant_id = $2 AND c.role::text = ANY ($3) AND u.disabled_at IS NULL) AS subscribed`;
const ROLES = memberRoleSchema.options.filter((role) => hasRight(role, "reports.view"));

/** Returns whether the address belongs to a subscribed member who may still view the merchant's reports. */
export async function isMonthlyReportSubscriber(
  { database: { pool } }: Database,
  { address, merchantId }: { address: string; merchantId: string },
): Promise<boolean> {
  const schema = z.object({ subscribed: z.boolean() });
  return (await queryOneRow(pool, schema, IS_SUBSCRIBER, [address, merchantId, ROLES])).subscribed;
}

/** Members per run, so that wallets without a later entry are locked only briefly (`period_is_closed`). */
const MEMBERS_PER_RUN = 10;

// An hour after its end, a month is closed unless a wallet is locked right now, so few rows are read unnecessarily.
const ENDED = `
  SELECT user_id AS "userId", merchant_id AS "merchantId", time_zone AS "timeZone", month FROM monthly_report_subscriptions s
  WHERE month_ends_at < now() - interval '1 hour' AND NOT EXISTS (
    SELECT FROM accounts a
    WHERE a.merchant_id = s.merchant_id AND a.kind IN ('merchant', 'hold') AND NOT period_is_closed(a.id, s.month_ends_at))
  ORDER BY month_ends_at LIMIT ${MEMBERS_PER_RUN}`;
const endedSchema = subscriptionSchema.extend({ userId: z.string(), merchantId: z.string() });

// One statement moves the subscription to the next month and queues the e-mails, so a crash or another worker neither skips nor repeats a month.
const QUEUE = `
  WITH moved AS (
    UPDATE monthly_report_subscriptions SET month = $5, month_ends_at = $6
    WHERE user_id = $1 AND merchant_id = $2 AND month = $3 AND time_zone = $4 RETURNING user_id, merchant_id)
  INSERT INTO digest_mails (topic, merchant_id, about, address)
  SELECT 'monthly_report', merchant_id, concat_ws(' ', merchant_id, mode, $3::text, $4::text), u.email
  FROM moved JOIN console_users u ON u.id = user_id CROSS JOIN unnest(enum_range(NULL::mode)) AS mode
  ON CONFLICT DO NOTHING`;

/**
 * Queues e-mails for months that are closed in both modes, one per subscribed member and mode.
 * @returns the number of subscriptions processed; 0 if none is due.
 */
export async function queueMonthlyReports({ database: { pool } }: Database): Promise<number> {
  const ended = await queryRows(pool, endedSchema, ENDED);
  for (const { userId, merchantId, month, timeZone } of ended) {
    const next = nextMonth(month);
    const endsAt = startOfMonth(nextMonth(next), timeZone);
    await pool.query(QUEUE, [userId, merchantId, month, timeZone, next, endsAt]);
  }
  return ended.length;
}

const aboutSchema = z.tuple([z.string(), modeSchema, z.string(), z.string()]);

export function parseMonthlyReport(about: string) {
  const [, mode, month, timeZone] = aboutSchema.parse(about.split(" "));
  return { mode, month, timeZone };
}
