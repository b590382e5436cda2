import { rowsOf } from "@tillgate/service";
import { limits } from "../config.js";
import type { Database } from "../database/database.js";
import { changeStatus } from "./change-status.js";
import { lockOrder, orderIdSchema } from "./order.js";

/**
 * Cancels orders that were not paid in time, as WooCommerce does: only those that came from its classic checkout
 * (`created_via` is `checkout`). This shop's own orders are `store-api`, so theirs is another way to end.
 *
 * @param minutes how long stock is held; 0 is for ever.
 * @returns how many were cancelled.
 */
export async function expireOrders(database: Database, minutes: number): Promise<number> {
  if (minutes === 0) return 0;
  const rows = await rowsOf(
    database,
    orderIdSchema,
    `SELECT id FROM shop_order WHERE status = 'pending' AND created_via = 'checkout'
        AND modified_at < now() - make_interval(mins => $1) ORDER BY id LIMIT $2`,
    [minutes, limits.expiryBatch],
  );
  for (const { id } of rows) {
    await database.transaction(async (transaction) => {
      const order = await lockOrder(transaction, id);
      if (order?.status !== "pending") return;
      await changeStatus(transaction, order, {
        to: "cancelled",
        reason: "Unpaid order cancelled - time limit reached.",
      });
    });
  }
  return rows.length;
}
