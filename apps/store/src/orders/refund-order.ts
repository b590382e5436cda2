import { oneRow, type Transaction } from "../database/database.js";
import { announce } from "../webhooks/announce.js";
import { changeStatus } from "./change-status.js";
import { type MetaChange, mergeMetaData } from "./meta-data.js";
import type { ItemRow, Order } from "./order.js";
import { listRefunds, type Refund, type RefundRow, remainingOf } from "./refund-records.js";
import { restockRefunded } from "./stock.js";

/** A refund that WooCommerce does not make; the message is its text. */
export class RefundRefused extends Error {
  override readonly name = "RefundRefused";
}

export interface RefundedItem {
  itemId: bigint;
  quantity: number;
  /** Minor units, not negative. */
  total: bigint;
}

export interface RefundOptions {
  /** Minor units. */
  amount: bigint;
  reason: string;
  /** Whether the payment gateway is asked to pay the money back. No gateway of this shop can. */
  throughGateway: boolean;
  /** Whether refunded pieces go back into stock. */
  restock: boolean;
  items: RefundedItem[];
  metaData: MetaChange[];
}

/** WooCommerce's own texts for a gateway that is not there or cannot refund. */
const gatewayAnswer = (order: Order): string =>
  order.payment_method === "tillgate"
    ? "The payment gateway for this order does not support automatic refunds."
    : "The payment gateway for this order does not exist.";

/**
 * Records a refund on a locked order. When nothing is left to refund the order turns Refunded by itself.
 *
 * @throws RefundRefused when the amount is more than what is left, or the gateway should pay and cannot.
 */
export async function refundOrder(
  transaction: Transaction,
  order: Order,
  { amount, reason, throughGateway, restock, items, metaData }: RefundOptions,
): Promise<Refund> {
  const remaining = await remainingOf(transaction, order);
  if (amount < 0n || amount > remaining) throw new RefundRefused("Invalid refund amount.");
  if (throughGateway) throw new RefundRefused(gatewayAnswer(order));
  const refund = await oneRow<RefundRow>(
    transaction,
    `INSERT INTO order_refund (order_id, amount, reason, meta_data, created_at)
     VALUES ($1, $2, $3, $4, date_trunc('second', clock_timestamp())) RETURNING *`,
    [order.id, amount, reason, JSON.stringify(await mergeMetaData(transaction, [], metaData))],
  );
  const refundedItems = await refundItems(transaction, order, refund.id, items);
  if (restock) {
    for (const { item, quantity } of refundedItems) await restockRefunded(transaction, order, item, quantity);
  }
  await transaction.query(
    "UPDATE shop_order SET modified_at = date_trunc('second', clock_timestamp()) WHERE id = $1",
    [order.id],
  );
  if (remaining - amount <= 0n) await changeStatus(transaction, order, { to: "refunded" });
  await announce(transaction, "order.updated", order.id);
  const made = (await listRefunds(transaction, [order.id])).find(({ id }) => id === refund.id);
  if (!made) throw new Error(`The refund ${refund.id} was written and cannot be read.`);
  return made;
}

/** Writes the items of a refund and tells which order items they are of. Unknown items are left out, as in WooCommerce. */
async function refundItems(
  transaction: Transaction,
  order: Order,
  refundId: bigint,
  items: RefundedItem[],
): Promise<{ item: ItemRow; quantity: number }[]> {
  const written: { item: ItemRow; quantity: number }[] = [];
  for (const { itemId, quantity, total } of items) {
    const item = order.items.find(({ id }) => id === itemId);
    if (!item || (quantity === 0 && total === 0n)) continue;
    const meta = await mergeMetaData(transaction, [], [{ key: "_refunded_item_id", value: String(itemId) }]);
    await transaction.query(
      `INSERT INTO refund_item (refund_id, item_id, type, name, product_id, method_id, quantity, total, meta_data)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        refundId,
        itemId,
        item.type,
        item.name,
        item.product_id,
        item.method_id,
        -quantity,
        -total,
        JSON.stringify(meta),
      ],
    );
    written.push({ item, quantity });
  }
  return written;
}
