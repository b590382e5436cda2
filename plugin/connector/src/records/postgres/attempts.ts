import type { Pool } from "pg";
import { z } from "zod";
import type { Attempt, Attempts, KnownAttempt } from "../records.js";

const rowSchema = z.object({
  id: z.coerce.bigint(),
  store_order_id: z.coerce.number().int(),
  request: z.object({
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
  amount_minor: z.coerce.bigint(),
  currency: z.string(),
  state: z.enum(["creating", "pending", "paid", "expired", "cancelled", "refunded", "refused"]),
  is_current: z.boolean(),
  tillgate_order_id: z.string().nullable(),
  payment_url: z.string().nullable(),
  qr_data: z.string().nullable(),
  expires_at: z.date().nullable(),
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

const inMs = (parameter: string) =>
  `clock_timestamp() + ${parameter}::double precision * interval '1 millisecond'`;

export function postgresAttempts(pool: Pool): Attempts {
  const one = async (sql: string, values: unknown[]): Promise<Attempt | null> => {
    const { rows } = await pool.query(sql, values);
    return rows[0] === undefined ? null : attemptOf(rows[0]);
  };
  const many = async (sql: string, values: unknown[]): Promise<Attempt[]> =>
    (await pool.query(sql, values)).rows.map(attemptOf);

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
    openOf: (storeId, storeOrderIds) =>
      many(
        `SELECT * FROM attempts WHERE store_id = $1 AND store_order_id = ANY ($2::bigint[]) AND is_current
           AND state IN ('creating', 'pending')`,
        [storeId, storeOrderIds],
      ),

    async start(storeId, attempt) {
      const { storeOrderId, request, amountMinor, currency, checkInMs } = attempt;
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        await client.query(
          `UPDATE attempts SET is_current = false, updated_at = clock_timestamp()
           WHERE store_id = $1 AND store_order_id = $2 AND is_current`,
          [storeId, storeOrderId],
        );
        const { rows } = await client.query(
          `INSERT INTO attempts
             (store_id, store_order_id, idempotency_key, request, amount_minor, currency, next_check_at)
           VALUES ($1, $2, $3, $4, $5, $6, ${inMs("$7")}) RETURNING *`,
          [storeId, storeOrderId, request.idempotency_key, request, amountMinor, currency, checkInMs],
        );
        await client.query("COMMIT");
        return attemptOf(rows[0]);
      } catch (error) {
        // When the connection itself broke, PostgreSQL rolls back and the first error is the one to report.
        await client.query("ROLLBACK").catch(() => undefined);
        throw error;
      } finally {
        client.release();
      }
    },
    async created(id, order) {
      const attempt = known(
        await one(
          `UPDATE attempts SET state = 'pending', tillgate_order_id = $2, payment_url = $3, qr_data = $4,
             expires_at = $5, updated_at = clock_timestamp()
           WHERE id = $1 AND state = 'creating' RETURNING *`,
          [id, order.tillgateOrderId, order.paymentUrl, order.qrData, order.expiresAt],
        ),
      );
      if (attempt === null) throw new Error(`Attempt ${id} was no longer being created.`);
      return attempt;
    },
    async refused(id) {
      await pool.query(
        "UPDATE attempts SET state = 'refused', updated_at = clock_timestamp() WHERE id = $1 AND state = 'creating'",
        [id],
      );
    },
    async cancelling(id, reason) {
      await pool.query(
        "UPDATE attempts SET cancel_reason = $2, updated_at = clock_timestamp() WHERE id = $1",
        [id, reason],
      );
    },
    async settled(id, state, trxId) {
      await pool.query(
        `UPDATE attempts SET state = $2, trx_id = coalesce($3, trx_id), given_up_at = NULL,
           updated_at = clock_timestamp() WHERE id = $1`,
        [id, state, trxId],
      );
    },

    takeDue: (storeId, limit, leaseMs) =>
      many(
        `UPDATE attempts SET next_check_at = ${inMs("$3")} WHERE id IN (
           SELECT id FROM attempts WHERE store_id = $1 AND state IN ('creating', 'pending') AND given_up_at IS NULL
             AND next_check_at <= clock_timestamp()
           ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ) RETURNING *`,
        [storeId, limit, leaseMs],
      ),
    async checked(id, nextInMs) {
      await pool.query(`UPDATE attempts SET failed_checks = 0, next_check_at = ${inMs("$2")} WHERE id = $1`, [
        id,
        nextInMs,
      ]);
    },
    async checkFailed(id, nextInMs) {
      await pool.query(
        `UPDATE attempts SET failed_checks = failed_checks + 1, next_check_at = ${inMs("$2")} WHERE id = $1`,
        [id, nextInMs],
      );
    },
    async givenUp(id) {
      await pool.query("UPDATE attempts SET given_up_at = clock_timestamp() WHERE id = $1", [id]);
    },
  };
}
