import { type BatchLineState, batchLineStateSchema, batchStateSchema, ErrorCode } from "@tillgate/contract";
import { queryFirstRow, queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { isIssuedId } from "../../platform/ids.js";

const MAX_BATCHES = 100;
export const LINES_PER_PAGE = 100;

const batchSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: batchStateSchema,
  round: z.int(),
  createdBy: z.string(),
  createdAt: z.date(),
  confirmedBy: z.string().nullable(),
  confirmedAt: z.date().nullable(),
  lines: z.int(),
});
export type BulkPayout = z.output<typeof batchSchema>;

const BATCHES = `
  SELECT b.id, b.name, b.round, maker.email AS "createdBy", b.created_at AS "createdAt", payer.email AS "confirmedBy",
    b.confirmed_at AS "confirmedAt", l.lines,
    CASE WHEN b.discarded_at IS NOT NULL THEN 'discarded' WHEN l.checking THEN 'checking' WHEN l.paying THEN 'paying'
      WHEN l.ready THEN 'ready' ELSE 'finished' END AS state
  FROM payout_batches b JOIN console_users maker ON maker.id = b.created_by_id
  LEFT JOIN console_users payer ON payer.id = b.confirmed_by_id
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS lines, bool_or(status = 'checking') AS checking, bool_or(status = 'paying') AS paying,
      bool_or(status = 'ready') AS ready
    FROM payout_batch_lines WHERE batch_id = b.id) AS l
  WHERE b.merchant_id = $1 AND b.mode = $2`;

export const listBulkPayouts = (
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<BulkPayout[]> =>
  queryRows(pool, batchSchema, `${BATCHES} ORDER BY b.created_at DESC, b.id DESC LIMIT ${MAX_BATCHES}`, [
    merchantId,
    mode,
  ]);

/** @throws OperationError BatchNotFound. */
export async function findBulkPayout(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
  id: string,
): Promise<BulkPayout> {
  const parameters = [merchantId, mode, id];
  const batch = isIssuedId(id)
    ? await queryFirstRow(pool, batchSchema, `${BATCHES} AND b.id = $3`, parameters)
    : undefined;
  if (!batch) throw new OperationError(ErrorCode.BatchNotFound);
  return batch;
}

/** Earlier lines with the same recipient, amount and currencies, which may be duplicates. */
const SAME = `
  FROM payout_batch_lines s JOIN payout_batches e ON e.id = s.batch_id
  WHERE s.merchant_id = l.merchant_id AND s.mode = l.mode AND s.recipient = l.recipient AND s.amount = l.amount
    AND s.sender_currency = l.sender_currency AND s.receiver_currency = l.receiver_currency AND e.discarded_at IS NULL
    AND (e.created_at < b.created_at OR (s.batch_id = l.batch_id AND s.number < l.number))`;
const LINE_STATE = `
  CASE WHEN l.status <> 'done' THEN l.status::text WHEN p.status = 'failed' THEN 'rejected' ELSE p.status::text END`;
/** A sum as text, because PostgreSQL's sums of bigint are numeric. */
const sum = z.string().transform(BigInt);

const countSchema = z.object({ state: batchLineStateSchema, lines: z.int() });
const totalSchema = z.object({
  currency: z.string(),
  lines: z.int(),
  amount: sum,
  fee: sum,
  /** Balance of the merchant's wallet; null if none is open. */
  wallet: z.bigint().nullable(),
});
const COUNTS = `
  SELECT ${LINE_STATE} AS state, count(*)::int AS lines FROM payout_batch_lines l LEFT JOIN payouts p ON p.id = l.payout_id
  WHERE l.batch_id = $1 GROUP BY 1`;
const REPEATS = `
  SELECT count(*)::int AS lines FROM payout_batch_lines l JOIN payout_batches b ON b.id = l.batch_id
  WHERE l.batch_id = $1 AND EXISTS (SELECT ${SAME})`;
const repeatsSchema = z.object({ lines: z.int() });
const TOTALS = `
  SELECT l.*, (SELECT balance FROM accounts WHERE merchant_id = $2 AND mode = $3 AND currency = l.currency AND kind = 'merchant'
    AND closed_at IS NULL) AS wallet
  FROM (
    SELECT sender_currency AS currency, count(*)::int AS lines, sum(amount)::text AS amount, sum(fee)::text AS fee
    FROM payout_batch_lines WHERE batch_id = $1 AND status = 'ready' GROUP BY 1) AS l
  ORDER BY l.currency`;

export type BulkPayoutTotal = z.output<typeof totalSchema>;
export type BulkPayoutView = {
  batch: BulkPayout;
  /** Number of lines that may duplicate an earlier line of this or another bulk payout. */
  repeats: number;
  counts: Partial<Record<BatchLineState, number>>;
  /** Totals of the ready lines, by sender currency. */
  totals: BulkPayoutTotal[];
};

/** @throws OperationError BatchNotFound. */
export async function viewBulkPayout(
  context: Context,
  scope: MerchantScope,
  id: string,
): Promise<BulkPayoutView> {
  const { pool } = context.database;
  const batch = await findBulkPayout(context, scope, id);
  const [counts, { lines: repeats }, totals] = await Promise.all([
    queryRows(pool, countSchema, COUNTS, [batch.id]),
    queryOneRow(pool, repeatsSchema, REPEATS, [batch.id]),
    queryRows(pool, totalSchema, TOTALS, [batch.id, scope.merchantId, scope.mode]),
  ]);
  const byState = counts.map(({ state, lines }) => [state, lines]);
  return { batch, repeats, counts: Object.fromEntries(byState), totals };
}

const lineSchema = z.object({
  number: z.int(),
  reference: z.string(),
  state: batchLineStateSchema,
  recipient: z.string(),
  recipientName: z.string().nullable(),
  amount: z.bigint(),
  senderCurrency: z.string(),
  receiverCurrency: z.string(),
  fee: z.bigint().nullable(),
  receiverAmount: z.bigint().nullable(),
  description: z.string().nullable(),
  failure: z.string().nullable(),
  payoutId: z.string().nullable(),
  trxId: z.string().nullable(),
  sameBatch: z.string().nullable(),
  sameName: z.string().nullable(),
  sameLine: z.int().nullable(),
});
export type BulkPayoutLine = z.output<typeof lineSchema>;

const LINES = `
  SELECT l.number, l.reference, ${LINE_STATE} AS state, l.recipient, u.name AS "recipientName", l.amount,
    l.sender_currency AS "senderCurrency", l.receiver_currency AS "receiverCurrency", coalesce(p.fee, l.fee) AS fee,
    coalesce(p.receiver_amount, l.receiver_amount) AS "receiverAmount", l.description, l.failure, l.payout_id AS "payoutId",
    p.trx_id AS "trxId", same.batch_id AS "sameBatch", same.name AS "sameName", same.number AS "sameLine"
  FROM payout_batch_lines l JOIN payout_batches b ON b.id = l.batch_id
  LEFT JOIN payouts p ON p.id = l.payout_id
  LEFT JOIN wallet_users u ON u.id = l.wallet_user_id
  LEFT JOIN LATERAL (
    SELECT s.batch_id, s.number, e.name ${SAME}
    ORDER BY e.created_at DESC, s.number LIMIT 1) AS same ON true
  WHERE l.batch_id = $1 AND l.number > $2 AND ($3::text IS NULL OR ${LINE_STATE} = $3)
  ORDER BY l.number LIMIT $4`;

/**
 * Lists lines of a bulk payout. The caller must check with {@link findBulkPayout} that the bulk payout belongs to the merchant.
 * @param options.after number of the last line seen.
 */
export const listLines = (
  { database: { pool } }: Context,
  batchId: string,
  { after = 0, state, limit }: { after?: number; state?: BatchLineState | undefined; limit: number },
): Promise<BulkPayoutLine[]> => queryRows(pool, lineSchema, LINES, [batchId, after, state ?? null, limit]);
