import { randomUUID } from "node:crypto";
import { ErrorCode, modeSchema } from "@tillgate/contract";
import type { QuoteModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import { queryFirstRow } from "@tillgate/service";
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

/** Must exceed the time that all statements for a line may take together. */
const LEASE_MS = 60_000;

// Only one worker's conditional update claims a line. Files take turns by line number.
const CLAIM = `
  UPDATE payout_batch_lines AS l SET leased_by = $1, leased_until = clock_timestamp() + $2 * interval '1 millisecond'
  FROM payout_batches b LEFT JOIN console_users u ON u.id = b.confirmed_by_id
  WHERE b.id = l.batch_id AND (l.batch_id, l.number) = (
    SELECT c.batch_id, c.number FROM payout_batch_lines c JOIN payout_batches cb ON cb.id = c.batch_id
    WHERE c.status IN ('checking', 'paying') AND cb.discarded_at IS NULL
      AND (c.leased_until IS NULL OR c.leased_until < clock_timestamp())
    ORDER BY c.number LIMIT 1 FOR NO KEY UPDATE OF c SKIP LOCKED)
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

/** Leases the next line to check or pay. @returns undefined if no line is waiting. */
export async function claimLine({ database: { pool } }: Context): Promise<ClaimedLine | undefined> {
  const lease = randomUUID();
  const line = await queryFirstRow(pool, claimedSchema, CLAIM, [lease, LEASE_MS]);
  return line && { ...line, lease };
}

/**
 * Prices a line or, if it is confirmed, pays it. An operation error marks the line as failed, except that TooManyRequests postpones it. Repeated,
 * concurrent and interrupted calls for a line are safe.
 * @throws unexpected errors, which leave the outcome unknown; the line is claimed again when its lease expires.
 */
export async function processLine(context: Context, line: ClaimedLine): Promise<void> {
  const { pool } = context.database;
  const ownLine = [line.batchId, line.number, line.lease, line.status];
  try {
    const payout =
      (await findRepeatedPayout(context, line, toIdempotencyKey(line)))?.payout ??
      (line.status === "paying" ? await payLine(context, line) : null);
    if (payout) {
      await pool.query(DONE, [line.batchId, line.number, payout.id]);
      return;
    }
    requireAllowed(await consumeBulkLineLimit(context, line));
    const { walletUserId, fee, rate, receiverAmount } = await quoteLine(context, line);
    await pool.query(PRICED, [...ownLine, walletUserId, fee, rate.toFixed(), receiverAmount]);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const { errorCode, details } = error;
    if (errorCode === ErrorCode.TooManyRequests)
      await pool.query(POSTPONED, [...ownLine, details.retryAfterSeconds ?? 1]);
    else await pool.query(FAILED, [...ownLine, errorCode.code]);
  }
}

async function quoteLine(context: Context, line: ClaimedLine): Promise<QuoteModel> {
  await requirePayoutsOn(context, line);
  const recipient = line.recipient.includes("@") ? { email: line.recipient } : { phone: line.recipient };
  // The recipient of a line that is being paid was found when the line was checked.
  const lookup = await lookUpRecipient(context, line, recipient, { known: line.walletUserId !== null });
  const { digits } = await getCurrency(context, line.senderCurrency);
  const { quote } = await quotePayout(context, line, {
    lookup_token: lookup.lookup_token,
    amount: formatDecimal(line.amount, digits),
    sender_currency: line.senderCurrency,
    receiver_currency: line.receiverCurrency,
  });
  return quote;
}

/** @throws OperationError PriceChanged if the recipient or the price is no longer the confirmed one. */
async function payLine(context: Context, line: ClaimedLine) {
  const { requestId, confirmedById, confirmedBy } = line;
  if (requestId === null || confirmedById === null || confirmedBy === null)
    throw new Error(
      `line ${line.number} of bulk payout ${line.batchId} has no confirmation, so it was not paid`,
    );
  const quote = await quoteLine(context, line);
  const asShown =
    quote.walletUserId === line.walletUserId &&
    quote.fee === line.fee &&
    quote.rate.toFixed() === line.rate &&
    quote.receiverAmount === line.receiverAmount;
  if (!asShown) throw new OperationError(ErrorCode.PriceChanged);
  const request = {
    quote_id: quote.id,
    reference: line.reference,
    description: line.description ?? undefined,
    idempotency_key: toIdempotencyKey(line),
  };
  const by = { id: confirmedById, email: confirmedBy };
  const { payout } = await executePayout(context, line, request, {
    act: { by, reason: line.description, requestId },
  });
  return payout;
}
