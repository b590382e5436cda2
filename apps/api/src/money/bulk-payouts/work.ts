import { randomUUID } from "node:crypto";
import { ErrorCode, modeSchema } from "@tillgate/contract";
import type { QuoteModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { consumeBulkLineLimit } from "../../identity/credentials/limits.js";
import { findWalletUser } from "../../identity/shoppers/find.js";
import { requireAllowed } from "../../platform/rate-limits.js";
import { getCurrency } from "../currencies.js";
import { executePayout, findRepeatedPayout } from "../payouts/create.js";
import { lookUpRecipient } from "../payouts/lookup.js";
import { quotePayout } from "../payouts/quote.js";
import { requirePayoutsOn } from "../payouts/rules.js";

/** Must exceed the time that all statements for a line may take together. */
const LEASE_MS = 60_000;

// Only one worker's conditional update claims a line. Files take turns by line number.
const CLAIM = `
  WITH next AS MATERIALIZED (
    SELECT c.batch_id, c.number FROM payout_batch_lines c JOIN payout_batches cb ON cb.id = c.batch_id
    WHERE c.status IN ('checking', 'paying') AND cb.discarded_at IS NULL
      AND (c.leased_until IS NULL OR c.leased_until < clock_timestamp())
    ORDER BY c.number LIMIT $3 FOR NO KEY UPDATE OF c SKIP LOCKED)
  UPDATE payout_batch_lines AS l SET leased_by = $1, leased_until = clock_timestamp() + $2 * interval '1 millisecond'
  FROM next JOIN payout_batches b ON b.id = next.batch_id LEFT JOIN console_users u ON u.id = b.confirmed_by_id
  WHERE (l.batch_id, l.number) = (next.batch_id, next.number)
  RETURNING l.batch_id AS "batchId", l.number, l.merchant_id AS "merchantId", l.mode::text AS mode, l.status::text AS status, l.recipient,
    l.amount, l.sender_currency AS "senderCurrency", l.receiver_currency AS "receiverCurrency", l.reference, l.description,
    l.wallet_user_id AS "walletUserId", l.fee, trim_scale(l.rate)::text AS rate, l.receiver_amount AS "receiverAmount",
    b.request_id AS "requestId", b.confirmed_by_id AS "confirmedById", u.email AS "confirmedBy"`;

const claimedSchema = z.object({
  batchId: z.string(),
  number: z.int(),
  merchantId: z.string(),
  mode: modeSchema,
  status: z.enum(["checking", "paying"]),
  recipient: z.string(),
  amount: z.bigint(),
  senderCurrency: z.string(),
  receiverCurrency: z.string(),
  reference: z.string(),
  description: z.string().nullable(),
  walletUserId: z.string().nullable(),
  fee: z.bigint().nullable(),
  rate: z.string().nullable(),
  receiverAmount: z.bigint().nullable(),
  requestId: z.string().nullable(),
  confirmedById: z.string().nullable(),
  confirmedBy: z.string().nullable(),
});
export type ClaimedLine = z.output<typeof claimedSchema> & { lease: string };

/** Only the lease holder writes a price, a failure or a delay. Any worker may write a line's payout, because a payout is permanent. */
const OWN_LINE = "WHERE batch_id = $1 AND number = $2 AND leased_by = $3 AND status = $4::payout_line_status";
const PRICED = `
  UPDATE payout_batch_lines SET status = 'ready', leased_by = NULL, leased_until = NULL, wallet_user_id = $5, fee = $6, rate = $7,
    receiver_amount = $8 ${OWN_LINE}`;
const FAILED = `
  UPDATE payout_batch_lines SET status = 'failed', failure = $5, leased_by = NULL, leased_until = NULL ${OWN_LINE}`;
const POSTPONED = `
  UPDATE payout_batch_lines SET leased_by = NULL, leased_until = clock_timestamp() + $5 * interval '1 second' ${OWN_LINE}`;
const DONE = `
  UPDATE payout_batch_lines SET status = 'done', payout_id = $3, failure = NULL, leased_by = NULL, leased_until = NULL
  WHERE batch_id = $1 AND number = $2 AND payout_id IS NULL`;

/** The key is the same on every run, so that a line is not paid twice. */
export const toIdempotencyKey = ({ batchId, number }: Pick<ClaimedLine, "batchId" | "number">): string =>
  `batch ${batchId} ${number}`;

/** Leases the next lines to check or pay. @returns up to `limit` lines, in any order; none if no line is waiting. */
export async function claimLines(
  { database: { pool } }: Context,
  { limit }: { limit: number },
): Promise<ClaimedLine[]> {
  const lease = randomUUID();
  const lines = await queryRows(pool, claimedSchema, CLAIM, [lease, LEASE_MS, limit]);
  return lines.map((line) => ({ ...line, lease }));
}

/**
 * Processes the lines to pay concurrently, so that their payouts share a group commit, and the lines to check one after the other, so that they do
 * not look up more unknown recipients than allowed.
 * @throws an unexpected error of {@link processLine}, after all lines to pay.
 */
export async function processLines(context: Context, lines: readonly ClaimedLine[]): Promise<void> {
  const paid = lines.filter(({ status }) => status === "paying").map((line) => processLine(context, line));
  const outcomes = await Promise.allSettled([...paid, checkLines(context, lines)]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

async function checkLines(context: Context, lines: readonly ClaimedLine[]): Promise<void> {
  for (const line of lines) if (line.status === "checking") await processLine(context, line);
}

/**
 * Prices a line or, if it is confirmed, pays it. An operation error marks the line as failed, except that TooManyRequests postpones it. Repeated,
 * concurrent and interrupted calls for a line are safe.
 * @throws unexpected errors, which leave the outcome unknown; the line is claimed again when its lease expires.
 */
export async function processLine(context: Context, line: ClaimedLine): Promise<void> {
  const { pool } = context.database;
  const ownLine = [line.batchId, line.number, line.lease, line.status];
  const findEarlierPayout = async () =>
    (await findRepeatedPayout(context, line, toIdempotencyKey(line)))?.payout.id;
  const recordPayout = (payoutId: string) => pool.query(DONE, [line.batchId, line.number, payoutId]);
  try {
    const payoutId = await (line.status === "paying" ? payLine(context, line) : findEarlierPayout());
    if (payoutId !== undefined) {
      await recordPayout(payoutId);
      return;
    }
    requireAllowed(await consumeBulkLineLimit(context, line));
    const { walletUserId, fee, rate, receiverAmount } = await quoteLine(context, line);
    await pool.query(PRICED, [...ownLine, walletUserId, fee, rate.toFixed(), receiverAmount]);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    // An earlier run may have paid the line before, for example, its recipient was deactivated.
    const earlier = await findEarlierPayout();
    const { errorCode, details } = error;
    if (earlier !== undefined) await recordPayout(earlier);
    else if (errorCode === ErrorCode.TooManyRequests)
      await pool.query(POSTPONED, [...ownLine, details.retryAfterSeconds ?? 1]);
    else await pool.query(FAILED, [...ownLine, errorCode.code]);
  }
}

const toContact = ({ recipient }: ClaimedLine) =>
  recipient.includes("@") ? { email: recipient } : { phone: recipient };

const toTerms = async (context: Context, line: ClaimedLine) => ({
  amount: formatDecimal(line.amount, (await getCurrency(context, line.senderCurrency)).digits),
  sender_currency: line.senderCurrency,
  receiver_currency: line.receiverCurrency,
});

async function quoteLine(context: Context, line: ClaimedLine): Promise<QuoteModel> {
  await requirePayoutsOn(context, line);
  const { lookup_token } = await lookUpRecipient(context, line, toContact(line));
  const { quote } = await quotePayout(context, line, { lookup_token, ...(await toTerms(context, line)) });
  return quote;
}

/** @returns the payout's ID. @throws OperationError PriceChanged if the recipient or the price is no longer the confirmed one. */
async function payLine(context: Context, line: ClaimedLine): Promise<string> {
  const { requestId, confirmedById, confirmedBy, walletUserId, fee, rate, receiverAmount } = line;
  if (requestId === null || confirmedById === null || confirmedBy === null)
    throw new Error(
      `line ${line.number} of bulk payout ${line.batchId} has no confirmation, so it was not paid`,
    );
  if (walletUserId === null || fee === null || rate === null || receiverAmount === null)
    throw new Error(`line ${line.number} of bulk payout ${line.batchId} has no price, so it was not paid`);
  await requirePayoutsOn(context, line);
  const user = await findWalletUser(context, toContact(line), line.mode);
  if (!user?.active) throw new OperationError(ErrorCode.RecipientNotFound);
  if (user.id !== walletUserId) throw new OperationError(ErrorCode.PriceChanged);
  const request = {
    ...(await toTerms(context, line)),
    reference: line.reference,
    description: line.description ?? undefined,
    idempotency_key: toIdempotencyKey(line),
  };
  const { payout } = await executePayout(context, line, request, {
    act: { by: { id: confirmedById, email: confirmedBy }, reason: line.description, requestId },
    confirmed: { walletUserId, fee, rate, receiverAmount },
  });
  return payout.id;
}
