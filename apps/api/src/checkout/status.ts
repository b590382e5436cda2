import { type CheckoutStatus, ErrorCode, modeSchema, orderStatusSchema } from "@tillgate/contract";
import { queryFirstRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { expireOrder } from "../money/orders/expire.js";

/** If `final`, only a refund can still change the status. */
export type CurrentStatus = CheckoutStatus & { orderId: string; final: boolean };

/** @returns null if the call that created the order was not traced. @throws OperationError OrderNotFound. */
export async function readTraceparent({ database }: Context, token: string): Promise<string | null> {
  const row = await queryFirstRow(database.pool, z.object({ traceparent: z.string().nullable() }), {
    name: "order trace",
    text: "SELECT traceparent FROM orders WHERE token = $1",
    values: [token],
  });
  if (!row) throw new OperationError(ErrorCode.OrderNotFound);
  return row.traceparent;
}

const statusSchema = z.object({
  id: z.string(),
  mode: modeSchema,
  status: orderStatusSchema,
  state: orderStatusSchema,
  version: z.int(),
  left_ms: z.number(),
});

/**
 * Reads an order's status by payment token, and sets the order to EXPIRED if overdue before returning its status.
 * @throws OperationError OrderNotFound.
 */
export async function readStatus(context: Context, token: string): Promise<CurrentStatus> {
  for (;;) {
    const row = await queryFirstRow(context.database.pool, statusSchema, {
      name: "order status",
      text: `SELECT id, mode, status, state, version, ceil(extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS left_ms
             FROM orders WHERE token = $1`,
      values: [token],
    });
    if (!row) throw new OperationError(ErrorCode.OrderNotFound);
    if (row.status !== "PENDING" || row.left_ms > 0)
      return {
        orderId: row.id,
        status: row.state,
        version: row.version,
        expires_in_ms: Math.max(0, row.left_ms),
        final: row.state !== "PENDING" && row.state !== "REFUND_PENDING",
      };
    await expireOrder(context, row);
  }
}
