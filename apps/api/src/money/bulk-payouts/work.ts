import { randomUUID } from "node:crypto";
import { ErrorCode, modeSchema } from "@tillgate/contract";
import type { PayoutModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import { queryRows } from "@tillgate/service";
import { isUnavailable } from "@tillgate/service/unavailable";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { consumeBulkLineLimit } from "../../identity/credentials/limits.js";
import { requireAllowed } from "../../platform/rate-limits.js";
import { getCurrency } from "../currencies.js";
import { executePayout, findRepeatedPayout } from "../payouts/create.js";
import { lookUpRecipient } from "../payouts/lookup.js";
import { quotePayout } from "../payouts/quote.js";
import { requirePayoutsOn } from "../payouts/rules.js";

/** Longer than processing a claim's lines takes, unless the database is overloaded. A line that is then claimed again is still paid only once. */
const LEASE_MS = 120_000;

const CLAIMABLE = `c.status IN ('checking', 'paying') AND (c.leased_until IS NULL OR c.leased_until < clock_timestamp())
  AND (SELECT discarded_at IS NULL FROM payout_batches b WHERE b.id = c.batch_id)`;
/**
 * Only one worker's conditional update claims a line. Files take turns by line number. Reads only the next numbers, from the first line that no
 * other worker is claiming: without statistics, PostgreSQL would read and sort all open lines.
 */
const CLAIM = `
  WITH first AS MATERIALIZED (
    SELECT c.number FROM payout_batch_lines c WHERE ${CLAIMABLE} ORDER BY c.number LIMIT 1 FOR NO KEY UPDATE OF c SKIP LOCKED),
  next AS MATERIALIZED (
    SELECT c.batch_id, c.number FROM payout_batch_lines c
    WHERE ${CLAIMABLE} AND c.number >= (SELECT number FROM first) AND c.number < (SELECT number FROM first) + 2 * $3::int
    ORDER BY c.number LIMIT $3 FOR NO KEY UPDATE OF c SKIP LOCKED)
  UPDATE payout_batch_lines AS l SET leased_by = $1, leased_until = clock_timestamp() + $2 * interval '1 millisecond'
  FROM next JOIN payout_batches b ON b.id = next.batch_id LEFT JOIN console_users u ON u.id = b.confirmed_by_id
  WHERE (l.batch_id, l.number) = (next.batch_id, next.number)
  RETURNING l.batch_id AS "batchId", l.number, l.merchant_id AS "merchantId", l.mode::text AS mode, l.status::text AS status, l.recipient,
    l.amount, l.sender_currency AS "senderCurrency", l.receiver_currency AS "receiverCurrency", l.reference, l.description,
    l.wallet_user_id AS "walletUserId", l.fee, trim_scale(l.rate)::text AS rate, l.receiver_amount AS "receiverAmount",
    b.request_id AS "requestId", b.confirmed_by_id AS "confirmedById", u.email AS "confirmedBy",
    (SELECT w.id FROM (SELECT * FROM wallet_users WHERE mode = l.mode AND email = l.recipient
      UNION ALL SELECT * FROM wallet_users WHERE mode = l.mode AND phone = l.recipient) w WHERE w.active LIMIT 1) AS "recipientId"`;

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
  /** The active wallet user who now has this e-mail address or phone number. */
  recipientId: z.string().nullable(),
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
  WITH paid AS MATERIALIZED (
    SELECT c.batch_id, c.number, p.payout_id FROM unnest($1::uuid[], $2::int[], $3::text[]) AS p (batch_id, number, payout_id)
    JOIN payout_batch_lines c ON (c.batch_id, c.number) = (p.batch_id, p.number) ORDER BY c.batch_id, c.number FOR NO KEY UPDATE OF c)
  UPDATE payout_batch_lines l SET status = 'done', payout_id = paid.payout_id, failure = NULL, leased_by = NULL, leased_until = NULL
  FROM paid WHERE (l.batch_id, l.number) = (paid.batch_id, paid.number) AND l.payout_id IS NULL`;

/** Returns a line's idempotency key. It is the same on every run, so that the line is not paid twice. */
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
 * Pays each merchant's confirmed lines together, so that their payouts share a group commit. Prices the other lines one after another, so that they
 * do not look up more unknown recipients than allowed. An OperationError marks its line as failed, except TooManyRequests, which postpones the line.
 * Repeated, concurrent and interrupted calls for a line are safe.
 * @throws the first unexpected error, after processing the remaining lines; pricing stops early if the database is unavailable. A line
 * without an outcome is claimed again when its lease expires.
 */
export async function processLines(context: Context, lines: readonly ClaimedLine[]): Promise<void> {
  const merchants = new Set(lines.map(({ merchantId }) => merchantId));
  await settleAll([
    ...[...merchants].map((id) => {
      const confirmed = lines.filter(({ merchantId, status }) => merchantId === id && status === "paying");
      return payLines(context, confirmed);
    }),
    checkLines(context, lines),
  ]);
}

/** Waits for all promises. @throws the first error. */
async function settleAll<Value>(promises: readonly Promise<Value>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(promises))
    if (outcome.status === "rejected") throw outcome.reason;
}

/** @param lines confirmed lines of one merchant. */
async function payLines(context: Context, lines: readonly ClaimedLine[]): Promise<void> {
  const [first] = lines;
  if (!first) return;
  const payoutsOn = requirePayoutsOn(context, first);
  const paid: PaidLine[] = [];
  const payments = lines.map(async (line) => {
    const payoutId = await payoutsOn
      .then(() => payLine(context, line))
      .catch((error) => failLine(context, line, error));
    if (payoutId !== undefined) paid.push({ line, payoutId });
  });
  await settleAll(payments).finally(() => finishLines(context, paid));
}

async function checkLines(context: Context, lines: readonly ClaimedLine[]): Promise<void> {
  const errors: unknown[] = [];
  for (const line of lines) {
    if (line.status !== "checking") continue;
    try {
      const payoutId = await checkLine(context, line).catch((error) => failLine(context, line, error));
      if (payoutId !== undefined) await finishLines(context, [{ line, payoutId }]);
    } catch (error) {
      errors.push(error);
      // Each further line would wait for the database, too.
      if (isUnavailable(error)) break;
    }
  }
  if (errors.length > 0) throw errors[0];
}

type PaidLine = { line: ClaimedLine; payoutId: string };

async function finishLines({ database: { pool } }: Context, paid: readonly PaidLine[]): Promise<void> {
  if (paid.length === 0) return;
  await pool.query(DONE, [
    paid.map(({ line }) => line.batchId),
    paid.map(({ line }) => line.number),
    paid.map(({ payoutId }) => payoutId),
  ]);
}

/** Returns whether a payout with the line's idempotency key was made for the line. The merchant's server may have used the same key. */
const isPayoutOf = (payout: PayoutModel, line: ClaimedLine): boolean =>
  payout.reference === line.reference &&
  payout.amount === line.amount &&
  payout.senderCurrency === line.senderCurrency &&
  payout.receiverCurrency === line.receiverCurrency &&
  (line.walletUserId === null || payout.walletUserId === line.walletUserId);

/** Returns the payout's ID. @throws OperationError IdempotencyKeyReused if the payout was not made for the line. */
function requirePayoutOf(payout: PayoutModel, line: ClaimedLine): string {
  if (!isPayoutOf(payout, line)) throw new OperationError(ErrorCode.IdempotencyKeyReused);
  return payout.id;
}

const findEarlierPayout = async (context: Context, line: ClaimedLine): Promise<PayoutModel | undefined> =>
  (await findRepeatedPayout(context, line, toIdempotencyKey(line)))?.payout;

/**
 * Marks a line as failed, or postpones the line after TooManyRequests. Changes nothing if an earlier run has paid the line.
 * @returns the payout's ID if an earlier run has paid the line; otherwise undefined.
 * @throws `error` if it is not an OperationError.
 */
async function failLine(context: Context, line: ClaimedLine, error: unknown): Promise<string | undefined> {
  if (!(error instanceof OperationError)) throw error;
  const earlier = await findEarlierPayout(context, line);
  if (earlier && isPayoutOf(earlier, line)) return earlier.id;
  const { errorCode, details } = error;
  const { pool } = context.database;
  if (errorCode === ErrorCode.TooManyRequests)
    await pool.query(POSTPONED, [...toOwnLine(line), details.retryAfterSeconds ?? 1]);
  else await pool.query(FAILED, [...toOwnLine(line), errorCode.code]);
  return undefined;
}

const toOwnLine = ({ batchId, number, lease, status }: ClaimedLine) => [batchId, number, lease, status];

/** Prices a line, for a user to confirm. @returns the payout's ID if an earlier run has paid the line; otherwise undefined. */
async function checkLine(context: Context, line: ClaimedLine): Promise<string | undefined> {
  const earlier = await findEarlierPayout(context, line);
  if (earlier) return requirePayoutOf(earlier, line);
  requireAllowed(await consumeBulkLineLimit(context, line));
  await requirePayoutsOn(context, line);
  const { recipient } = line;
  const contact = recipient.includes("@") ? { email: recipient } : { phone: recipient };
  const { lookup_token } = await lookUpRecipient(context, line, contact);
  const terms = await toTerms(context, line);
  const { quote } = await quotePayout(context, line, { lookup_token, ...terms });
  const { walletUserId, fee, rate, receiverAmount } = quote;
  const price = [walletUserId, fee, rate.toFixed(), receiverAmount];
  await context.database.pool.query(PRICED, [...toOwnLine(line), ...price]);
  return undefined;
}

const toTerms = async (context: Context, line: ClaimedLine) => ({
  amount: formatDecimal(line.amount, (await getCurrency(context, line.senderCurrency)).digits),
  sender_currency: line.senderCurrency,
  receiver_currency: line.receiverCurrency,
});

/**
 * @returns the payout's ID.
 * @throws OperationError RecipientNotFound, IdempotencyKeyReused, PriceChanged if the recipient or the price has changed since the confirmation; the
 * errors of {@link executePayout}.
 */
async function payLine(context: Context, line: ClaimedLine): Promise<string> {
  const { requestId, confirmedById, confirmedBy, walletUserId, fee, rate, receiverAmount } = line;
  if (requestId === null || confirmedById === null || confirmedBy === null)
    throw new Error(
      `line ${line.number} of bulk payout ${line.batchId} has no confirmation, so it was not paid`,
    );
  if (walletUserId === null || fee === null || rate === null || receiverAmount === null)
    throw new Error(`line ${line.number} of bulk payout ${line.batchId} has no price, so it was not paid`);
  if (line.recipientId === null) throw new OperationError(ErrorCode.RecipientNotFound);
  if (line.recipientId !== walletUserId) throw new OperationError(ErrorCode.PriceChanged);
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
  return requirePayoutOf(payout, line);
}
