import { firstRow, type Transaction } from "../database/database.js";
import { announce } from "../webhooks/announce.js";
import { mergeMetaData, metaValue } from "./meta-data.js";
import { addNote } from "./notes.js";
import type { ItemRow, Order } from "./order.js";

/** The item's own record of how many pieces it took out of stock, under WooCommerce's name. */
const reducedStockKey = "_reduced_stock";

const reducedBy = (item: ItemRow): number => Number(metaValue(item.meta_data, reducedStockKey) ?? 0);

const restockedKey = "_restock_refunded_items";

interface StockChange {
  from: number;
  to: number;
  label: string;
}

/** Changes a product's stock; undefined when the product is gone or its stock is not managed. */
async function changeStock(
  transaction: Transaction,
  productId: bigint,
  pieces: number,
): Promise<StockChange | undefined> {
  const row = await firstRow<{ id: bigint; name: string; sku: string; stock_quantity: number }>(
    transaction,
    `UPDATE product SET stock_quantity = stock_quantity + $2, modified_at = date_trunc('second', clock_timestamp())
      WHERE id = $1 AND manage_stock RETURNING id, name, sku, stock_quantity`,
    [productId, pieces],
  );
  if (!row) return undefined;
  await announce(transaction, "product.updated", productId);
  const label = `${row.name} (${row.sku === "" ? `#${row.id}` : row.sku})`;
  return { from: row.stock_quantity - pieces, to: row.stock_quantity, label };
}

async function remember(
  transaction: Transaction,
  item: ItemRow,
  changes: { key: string; value: unknown }[],
): Promise<void> {
  item.meta_data = await mergeMetaData(transaction, item.meta_data, changes);
  await transaction.query("UPDATE order_item SET meta_data = $2 WHERE id = $1", [
    item.id,
    JSON.stringify(item.meta_data),
  ]);
}

/** Items in the order of their products, so that two orders lock the same products in the same order. */
const byProduct = (order: Order): ItemRow[] =>
  order.items
    .filter((item) => item.type === "line_item" && item.product_id > 0n)
    .sort((one, other) => (one.product_id < other.product_id ? -1 : 1));

const described = ({ label, from, to }: StockChange): string => `${label} ${from}&rarr;${to}`;

/** Takes the order's pieces out of stock unless that was done before. Called at On hold, Processing and Completed. */
export async function reduceStock(transaction: Transaction, order: Order): Promise<void> {
  if (order.stock_reduced) return;
  const changes: string[] = [];
  for (const item of byProduct(order)) {
    if (reducedBy(item) > 0) continue;
    const change = await changeStock(transaction, item.product_id, -item.quantity);
    if (!change) continue;
    await remember(transaction, item, [{ key: reducedStockKey, value: item.quantity }]);
    changes.push(described(change));
  }
  if (changes.length > 0) {
    await addNote(transaction, { orderId: order.id, note: `Stock levels reduced: ${changes.join(", ")}` });
  }
  await transaction.query("UPDATE shop_order SET stock_reduced = true WHERE id = $1", [order.id]);
  order.stock_reduced = true;
}

/** Puts back what the order took out of stock. Called at Cancelled and Pending, and not at Failed. */
export async function restoreStock(transaction: Transaction, order: Order): Promise<void> {
  if (!order.stock_reduced) return;
  const changes: string[] = [];
  for (const item of byProduct(order)) {
    const pieces = reducedBy(item);
    if (pieces <= 0) continue;
    const change = await changeStock(transaction, item.product_id, pieces);
    if (!change) continue;
    await remember(transaction, item, [{ key: reducedStockKey, value: null }]);
    changes.push(described(change));
  }
  if (changes.length > 0) {
    await addNote(transaction, { orderId: order.id, note: `Stock levels increased: ${changes.join(", ")}` });
  }
  await transaction.query("UPDATE shop_order SET stock_reduced = false WHERE id = $1", [order.id]);
  order.stock_reduced = false;
}

/** Puts refunded pieces of one item back into stock, when they had been taken out. */
export async function restockRefunded(
  transaction: Transaction,
  order: Order,
  item: ItemRow,
  pieces: number,
): Promise<void> {
  const reduced = reducedBy(item);
  if (reduced <= 0 || pieces <= 0) return;
  const change = await changeStock(transaction, item.product_id, pieces);
  if (!change) return;
  const before = Number(metaValue(item.meta_data, restockedKey) ?? 0);
  await remember(transaction, item, [
    { key: reducedStockKey, value: reduced - pieces },
    { key: restockedKey, value: before + pieces },
  ]);
  const note = `Item #${item.product_id} stock increased from ${change.from} to ${change.to}.`;
  await addNote(transaction, { orderId: order.id, note });
}
