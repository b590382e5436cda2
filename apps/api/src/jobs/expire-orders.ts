import { callOne, callRows, ledger } from "@tillgate/database";
import { queryFirstRow, queryRows } from "@tillgate/service";
import { isUnavailable } from "@tillgate/service/unavailable";
import type pg from "pg";
import type { Logger } from "pino";
import { z } from "zod";
import type { ChangeNotifier } from "../platform/change-notifier.js";

/** Small, so that transactions stay short and other processes get their share. */
const EXPIRE_BATCH = 100;

const SKIPPED =
  "EXISTS (SELECT FROM expiry_failures f WHERE f.order_id = o.id AND f.next_attempt_at > clock_timestamp())";
const NEXT_DUE = `
  SELECT ceil(extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS "inMs" FROM orders o
  WHERE status = 'PENDING' AND NOT ${SKIPPED} ORDER BY expires_at LIMIT 1`;
const DUE = `
  SELECT id, mode FROM orders o WHERE status = 'PENDING' AND expires_at <= $2 AND NOT ${SKIPPED} ORDER BY expires_at LIMIT $1`;
const DELETE_SETTLED =
  "DELETE FROM expiry_failures f USING orders o WHERE o.id = f.order_id AND o.status <> 'PENDING'";

type ExpireOrdersOptions = {
  pool: pg.Pool;
  changes: Pick<ChangeNotifier, "notify">;
  log: Pick<Logger, "error">;
};

/**
 * Expires all overdue orders. A failed batch is retried order by order; an order that fails again is skipped for a while.
 * @throws the database's error if the database is unavailable.
 */
export async function expireOrders({ pool, changes, log }: ExpireOrdersOptions): Promise<number> {
  let expired = 0;
  for (;;) {
    const ids = await callRows(pool, ledger.expireDueOrders, { limit: EXPIRE_BATCH }).catch(
      (error: unknown) => {
        if (isUnavailable(error)) throw error;
        return expireOneByOne(pool, log);
      },
    );
    for (const id of ids) changes.notify(id);
    expired += ids.length;
    if (ids.length < EXPIRE_BATCH) return expired;
  }
}

const dueSchema = z.object({ id: z.string(), mode: z.enum(["sandbox", "live"]) });
const nextSchema = z.object({ inMs: z.number() });

async function expireOneByOne(pool: pg.Pool, log: Pick<Logger, "error">): Promise<string[]> {
  const due = await queryRows(pool, dueSchema, DUE, [EXPIRE_BATCH, new Date()]);
  const expired: string[] = [];
  for (const { id, mode } of due) {
    try {
      if (await callOne(pool, ledger.expireOrder, { orderId: id, mode })) expired.push(id);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const message = error instanceof Error ? error.message : String(error);
      const failures = await callOne(pool, ledger.recordExpiryFailure, { orderId: id, error: message });
      log.error(
        { event: "order_not_expired", orderId: id, failures, err: { message } },
        "could not expire an order; skipping it for a while",
      );
    }
  }
  await pool.query(DELETE_SETTLED);
  return expired;
}

/**
 * Returns the time until the next pending order expires: negative if it is overdue, undefined if no order is pending. Ignores orders that are skipped
 * after a failure.
 */
export async function readMsUntilNextExpiry(pool: pg.Pool): Promise<number | undefined> {
  return (await queryFirstRow(pool, nextSchema, NEXT_DUE))?.inMs;
}
