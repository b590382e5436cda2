import { z } from "zod";
import type { Attempt, Attempts, KnownAttempt } from "../records.js";
import { bigWholeNumber, json, time, truth, wholeNumber } from "./columns.js";
import type { SqlDatabase, SqlValue } from "./sql-database.js";

const rowSchema = z.object({
  id: bigWholeNumber,
  store_order_id: wholeNumber,
  request: json(
    z.object({
      amount: z.string(),
      currency: z.string(),
      payment_method: z.literal("both"),
      reference: z.string(),
      description: z.string(),
      callback_url: z.string(),
      return_url: z.string(),
      cancel_url: z.string(),
      expires_in: z.int(),
      idempotency_key: z.string(),
    }),
  ),
  amount_minor: bigWholeNumber,
  currency: z.string(),
  state: z.enum(["creating", "pending", "paid", "expired", "cancelled", "refunded", "refused"]),
  mode: z.enum(["sandbox", "live"]).nullable(),
  client_id: z.string().nullable(),
  is_current: truth,
  tillgate_order_id: z.string().nullable(),
  payment_url: z.string().nullable(),
  qr_data: z.string().nullable(),
  expires_at: time.nullable(),
  trx_id: z.string().nullable(),
  cancel_reason: z.string().nullable(),
  failed_checks: z.int(),
});

function attemptOf(row: unknown): Attempt {
  const parsed = rowSchema.parse(row);
  const core = {
    id: parsed.id,
    storeOrderId: parsed.store_order_id,
    request: parsed.request,
    amountMinor: parsed.amount_minor,
    currency: parsed.currency,
    credential:
      parsed.mode === null || parsed.client_id === null
        ? null
        : { mode: parsed.mode, clientId: parsed.client_id },
    isCurrent: parsed.is_current,
    cancelReason: parsed.cancel_reason,
    trxId: parsed.trx_id,
    failedChecks: parsed.failed_checks,
  };
  const { state, tillgate_order_id, payment_url, expires_at } = parsed;
  if (state === "creating" || state === "refused") return { ...core, state, order: null };
  if (tillgate_order_id === null || payment_url === null || expires_at === null) {
    throw new Error(`Attempt ${parsed.id} is ${state} without a Tillgate order, which the database forbids.`);
  }
  const order = {
    tillgateOrderId: tillgate_order_id,
    paymentUrl: payment_url,
    qrData: parsed.qr_data,
    expiresAt: expires_at,
  };
  return { ...core, state, order };
}

function known(attempt: Attempt | null): KnownAttempt | null {
  return attempt === null || attempt.order === null ? null : attempt;
}

const countSchema = z.object({ under_way: wholeNumber, given_up: wholeNumber });
const orderSchema = z.object({ store_order_id: wholeNumber });

export function sqlAttempts(database: SqlDatabase): Attempts {
  const { query, transaction, now, span, time: timeOf, skipLocked, among } = database;
  const inMs = (parameter: string) => `${now} + ${span(parameter)}`;
  const one = async (sql: string, values: SqlValue[]): Promise<Attempt | null> => {
    const [row] = await query(sql, values);
    return row === undefined ? null : attemptOf(row);
  };
  const many = async (sql: string, values: SqlValue[]): Promise<Attempt[]> =>
    (await query(sql, values)).map(attemptOf);

  return {
    current: (storeId, storeOrderId) =>
      one("SELECT * FROM attempts WHERE store_id = $1 AND store_order_id = $2 AND is_current", [
        storeId,
        storeOrderId,
      ]),
    byTillgateOrder: async (storeId, tillgateOrderId) =>
      known(
        await one("SELECT * FROM attempts WHERE store_id = $1 AND tillgate_order_id = $2", [
          storeId,
          tillgateOrderId,
        ]),
      ),
    byId: (id) => one("SELECT * FROM attempts WHERE id = $1", [id]),
    async byTransactions(storeId, trxIds) {
      const found = await many(
        `SELECT * FROM attempts WHERE store_id = $1 AND trx_id ${among("$2", "text")}`,
        [storeId, JSON.stringify(trxIds)],
      );
      return found.flatMap((attempt) => (attempt.order === null ? [] : [attempt]));
    },
    async knownOrders(storeId, storeOrderIds) {
      const rows = await query(
        `SELECT DISTINCT store_order_id FROM attempts
         WHERE store_id = $1 AND store_order_id ${among("$2", "bigint")}`,
        [storeId, JSON.stringify(storeOrderIds)],
      );
      return rows.map((row) => orderSchema.parse(row).store_order_id);
    },

    async start(storeId, attempt) {
      const { storeOrderId, request, amountMinor, currency, credential, checkInMs } = attempt;
      const [row] = await transaction([
        {
          sql: `UPDATE attempts SET is_current = ${database.no}, updated_at = ${now}
            WHERE store_id = $1 AND store_order_id = $2 AND is_current`,
          values: [storeId, storeOrderId],
        },
        {
          sql: `INSERT INTO attempts
              (store_id, store_order_id, idempotency_key, request, amount_minor, currency, mode, client_id,
               next_check_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${inMs("$9")}) RETURNING *`,
          values: [
            storeId,
            storeOrderId,
            request.idempotency_key,
            JSON.stringify(request),
            amountMinor,
            currency,
            credential.mode,
            credential.clientId,
            checkInMs,
          ],
        },
      ]);
      return attemptOf(row);
    },
    async created(id, order) {
      const attempt = known(
        await one(
          `UPDATE attempts SET state = 'pending', tillgate_order_id = $2, payment_url = $3, qr_data = $4,
             expires_at = ${timeOf("$5")}, updated_at = ${now}
           WHERE id = $1 AND state = 'creating' RETURNING *`,
          [id, order.tillgateOrderId, order.paymentUrl, order.qrData, order.expiresAt.getTime()],
        ),
      );
      if (attempt === null) throw new Error(`Attempt ${id} was no longer being created.`);
      return attempt;
    },
    async refused(id) {
      await query(
        `UPDATE attempts SET state = 'refused', updated_at = ${now} WHERE id = $1 AND state = 'creating'`,
        [id],
      );
    },
    async cancelling(id, reason) {
      await query(`UPDATE attempts SET cancel_reason = $2, updated_at = ${now} WHERE id = $1`, [id, reason]);
    },
    async settled(id, state, trxId) {
      await query(
        `UPDATE attempts SET state = $2, trx_id = coalesce($3, trx_id), given_up_at = NULL, updated_at = ${now}
         WHERE id = $1`,
        [id, state, trxId],
      );
    },

    takeDue: (storeId, limit, leaseMs) =>
      many(
        `UPDATE attempts SET next_check_at = ${inMs("$3")} WHERE id IN (
           SELECT id FROM attempts WHERE store_id = $1 AND state IN ('creating', 'pending') AND given_up_at IS NULL
             AND next_check_at <= ${now}
           ORDER BY next_check_at LIMIT $2 ${skipLocked}
         ) RETURNING *`,
        [storeId, limit, leaseMs],
      ),
    async checked(id, nextInMs) {
      await query(`UPDATE attempts SET failed_checks = 0, next_check_at = ${inMs("$2")} WHERE id = $1`, [
        id,
        nextInMs,
      ]);
    },
    async checkFailed(id, nextInMs) {
      await query(
        `UPDATE attempts SET failed_checks = failed_checks + 1, next_check_at = ${inMs("$2")} WHERE id = $1`,
        [id, nextInMs],
      );
    },
    async givenUp(id) {
      await query(`UPDATE attempts SET given_up_at = ${now} WHERE id = $1`, [id]);
    },
    async count(storeId) {
      const [row] = await query(
        `SELECT count(*) AS under_way, count(given_up_at) AS given_up FROM attempts
         WHERE store_id = $1 AND state IN ('creating', 'pending')`,
        [storeId],
      );
      const { under_way, given_up } = countSchema.parse(row);
      return { underWay: under_way, givenUp: given_up };
    },
  };
}
