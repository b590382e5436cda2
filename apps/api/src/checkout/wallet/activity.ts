import { ErrorCode, WALLET_ACTIVITY_KINDS, type WalletActivityQuery } from "@tillgate/contract";
import { queryFirstRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { invalidField, OperationError } from "../../errors.js";
import type { Shopper } from "../../identity/shoppers/read.js";
import { isIssuedId } from "../../platform/ids.js";

const activitySchema = z.object({
  entryId: z.bigint(),
  transferId: z.string(),
  kind: z.enum(WALLET_ACTIVITY_KINDS),
  amount: z.bigint(),
  currency: z.string(),
  digits: z.int(),
  at: z.date(),
  orderId: z.string().nullable(),
  refundId: z.string().nullable(),
  payoutId: z.string().nullable(),
  merchantName: z.string().nullable(),
  description: z.string().nullable(),
  conversionId: z.string().nullable(),
  counterAmount: z.bigint().nullable(),
  counterCurrency: z.string().nullable(),
  counterDigits: z.int().nullable(),
  merchantAmount: z.bigint().nullable(),
  merchantCurrency: z.string().nullable(),
  merchantDigits: z.int().nullable(),
});
/** One movement of a shopper's wallet, in minor units. */
export type Activity = z.output<typeof activitySchema>;

/** `n` is an entry. Shoppers see a merchant's brand name, if any. */
const ACTIVITY_COLUMNS = `
  n.id AS "entryId", t.id AS "transferId", t.kind::text AS kind, n.amount, n.currency, c.digits::int AS digits, t.created_at AS at,
    o.id AS "orderId", r.id AS "refundId", p.id AS "payoutId", coalesce(b.name, m.name) AS "merchantName",
    coalesce(o.description, p.description) AS description, cv.id AS "conversionId",
    CASE WHEN n.amount < 0 THEN cv.to_amount ELSE cv.from_amount END AS "counterAmount",
    CASE WHEN n.amount < 0 THEN cv.to_currency ELSE cv.from_currency END AS "counterCurrency", cc.digits::int AS "counterDigits",
    coalesce(r.amount, o.amount) AS "merchantAmount", o.currency AS "merchantCurrency", oc.digits::int AS "merchantDigits"`;
const ACTIVITY_JOINS = `
  JOIN transfers t ON t.id = n.transfer_id
  JOIN currencies c ON c.code = n.currency
  LEFT JOIN refunds r ON r.transfer_id = t.id AND r.mode = t.mode
  LEFT JOIN orders paid ON paid.transfer_id = t.id AND paid.mode = t.mode
  LEFT JOIN orders o ON o.id = coalesce(paid.id, r.order_id)
  LEFT JOIN currencies oc ON oc.code = o.currency
  LEFT JOIN payouts p ON p.transfer_id = t.id AND p.mode = t.mode
  LEFT JOIN conversions cv ON cv.transfer_id = t.id AND cv.mode = t.mode
  LEFT JOIN currencies cc ON cc.code = CASE WHEN n.amount < 0 THEN cv.to_currency ELSE cv.from_currency END
  LEFT JOIN merchants m ON m.id = coalesce(o.merchant_id, p.merchant_id)
  LEFT JOIN merchant_branding b ON b.merchant_id = m.id`;

export const ACTIVITY_PER_PAGE = 20;

export type ActivityPage = { activity: Activity[]; next: string | null; previous: string | null };

/** A conversion has two entries. The list of all wallets shows only the debit; the list of one wallet shows that wallet's entry. */
const SHOWN = `NOT ($2::text IS NULL AND e.amount > 0 AND EXISTS (
        SELECT FROM transfers t WHERE t.id = e.transfer_id AND t.kind = 'conversion'))`;

/** Reads one page of entries per wallet by index and merges them into one page, so that every page costs the same. */
const pageSql = (newer: boolean): string => `
  SELECT ${ACTIVITY_COLUMNS} FROM (
    SELECT e.* FROM accounts a CROSS JOIN LATERAL (
      SELECT * FROM entries e WHERE account_id = a.id AND ($3::bigint IS NULL OR id ${newer ? ">" : "<"} $3) AND ${SHOWN}
        AND ($5::timestamptz IS NULL OR EXISTS (SELECT FROM transfers t WHERE t.id = e.transfer_id AND t.created_at > $5))
      ORDER BY id ${newer ? "" : "DESC"} LIMIT $4) AS e
    WHERE a.wallet_user_id = $1 AND a.kind = 'shopper' AND ($2::text IS NULL OR a.currency = $2)
    ORDER BY e.id ${newer ? "" : "DESC"} LIMIT $4) AS n
  ${ACTIVITY_JOINS} ORDER BY n.id DESC`;

const CURSOR = `
  SELECT n.id FROM entries n JOIN accounts a ON a.id = n.account_id
  WHERE n.transfer_id = $2 AND a.wallet_user_id = $1 AND a.kind = 'shopper' AND ($3::text IS NULL OR a.currency = $3)
  ORDER BY n.amount LIMIT 1`;
const cursorSchema = z.object({ id: z.bigint() });

/**
 * Lists a page of movements, newest first. After a PIN reset that required only a phone number or e-mail address, earlier movements are hidden.
 * @throws OperationError InvalidFields for a cursor that does not name one of this shopper's movements (in `currency`, if given).
 */
export async function listActivity(
  { database: { pool } }: Context,
  { id, pinResetAt }: Pick<Shopper, "id" | "pinResetAt">,
  { currency, before, after }: WalletActivityQuery,
): Promise<ActivityPage> {
  const newer = after !== undefined;
  const cursorId = after ?? before;
  const cursor =
    cursorId === undefined
      ? null
      : await queryFirstRow(pool, cursorSchema, CURSOR, [id, cursorId, currency ?? null]);
  if (cursor === undefined)
    throw invalidField(newer ? "after" : "before", "must be the ID of a movement from an earlier response");
  const parameters = [id, currency ?? null, cursor?.id ?? null, ACTIVITY_PER_PAGE + 1, pinResetAt];
  const rows = await queryRows(pool, activitySchema, pageSql(newer), parameters);
  const more = rows.length > ACTIVITY_PER_PAGE;
  // The extra row is the farthest from the cursor.
  const activity = newer ? rows.slice(-ACTIVITY_PER_PAGE) : rows.slice(0, ACTIVITY_PER_PAGE);
  const [first, last] = [activity[0]?.transferId ?? null, activity.at(-1)?.transferId ?? null];
  return newer
    ? { activity, next: last ?? after ?? null, previous: more ? first : null }
    : { activity, next: more ? last : null, previous: before === undefined ? null : (first ?? before) };
}

const MAX_REFUNDS = 100;

const text = z.string().nullable();
const receiptSchema = activitySchema.extend({
  token: text,
  trxId: text,
  reference: text,
  rate: text,
  paymentTransferId: text,
  payoutTrxId: text,
  conversionRate: text,
  conversionFrom: text,
  conversionTo: text,
});
const refundSchema = z.object({
  id: z.string(),
  status: z.enum(["pending", "completed"]),
  amount: z.bigint(),
  received: z.bigint().nullable(),
  transferId: text,
  at: z.date(),
});

/** Minor units: `amount` in the order's currency, `received` in the wallet's. `received` and `transferId` are null while the refund is pending. */
export type ReceiptRefund = z.output<typeof refundSchema>;
export type Receipt = z.output<typeof receiptSchema> & { refunds: ReceiptRefund[] };

/** A transfer between wallets of one user has several entries; the debit comes first. */
const RECEIPT = `
  SELECT ${ACTIVITY_COLUMNS}, o.token, o.trx_id AS "trxId", coalesce(o.order_number, o.reference) AS reference,
    trim_scale(q.rate)::text AS rate, o.transfer_id AS "paymentTransferId",
    p.trx_id AS "payoutTrxId", trim_scale(cv.rate)::text AS "conversionRate", cv.from_currency AS "conversionFrom", cv.to_currency AS "conversionTo"
  FROM entries n JOIN accounts a ON a.id = n.account_id AND a.wallet_user_id = $1 AND a.kind = 'shopper'
  ${ACTIVITY_JOINS}
  LEFT JOIN shopper_quotes q ON q.id = o.quote_id
  WHERE n.transfer_id = $2 AND ($3::timestamptz IS NULL OR t.created_at > $3) ORDER BY n.amount LIMIT 1`;

const REFUNDS = `
  SELECT id, status::text AS status, amount, payer_amount AS received, transfer_id AS "transferId", coalesce(settled_at, created_at) AS at
  FROM refunds WHERE order_id = $1 AND status <> 'failed' ORDER BY created_at, id LIMIT $2`;

/** @throws OperationError ActivityNotFound, including for another shopper's movement and a movement hidden by a PIN reset. */
export async function readReceipt(
  { database: { pool } }: Context,
  { id: shopperId, pinResetAt }: Pick<Shopper, "id" | "pinResetAt">,
  id: string,
): Promise<Receipt> {
  const receipt = isIssuedId(id)
    ? await queryFirstRow(pool, receiptSchema, RECEIPT, [shopperId, id, pinResetAt])
    : undefined;
  if (!receipt) throw new OperationError(ErrorCode.ActivityNotFound);
  const { kind, orderId } = receipt;
  const refunds =
    kind === "payment" ? await queryRows(pool, refundSchema, REFUNDS, [orderId, MAX_REFUNDS]) : [];
  return { ...receipt, refunds };
}
