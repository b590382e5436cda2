import { firstRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Transaction } from "../database/database.js";
import { addNote } from "./notes.js";
import type { Order } from "./order.js";

const countedSchema = z.object({ name: z.string(), sku: z.string(), stock_quantity: z.int() });

/**
 * Takes the pieces of an order out of stock, or puts them back, unless that was done before. Stock is taken at On hold,
 * Processing and Completed, and put back at Cancelled and Pending, and not at Failed.
 */
export async function moveStock(
  transaction: Transaction,
  order: Order,
  to: "reduced" | "increased",
): Promise<void> {
  const reduced = to === "reduced";
  if (order.stock_reduced === reduced) return;
  const changes: string[] = [];
  // In the order of their products, so that two orders lock the same products in the same order.
  const lines = order.items.toSorted((one, other) => (one.product_id < other.product_id ? -1 : 1));
  for (const { product_id, quantity } of lines) {
    const pieces = reduced ? -quantity : quantity;
    const product = await firstRowOf(
      transaction,
      countedSchema,
      `UPDATE product SET stock_quantity = stock_quantity + $2, modified_at = date_trunc('second', clock_timestamp())
        WHERE id = $1 AND manage_stock RETURNING name, sku, stock_quantity`,
      [product_id, pieces],
    );
    if (!product) continue;
    const { name, sku, stock_quantity } = product;
    const label = `${name} (${sku === "" ? `#${product_id}` : sku})`;
    changes.push(`${label} ${stock_quantity - pieces}&rarr;${stock_quantity}`);
  }
  if (changes.length > 0) {
    await addNote(transaction, { orderId: order.id, note: `Stock levels ${to}: ${changes.join(", ")}` });
  }
  await transaction.query("UPDATE shop_order SET stock_reduced = $2 WHERE id = $1", [order.id, reduced]);
  order.stock_reduced = reduced;
}
