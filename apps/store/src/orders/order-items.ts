import { limits } from "../config.js";
import { firstRow, oneRow, type Transaction } from "../database/database.js";
import { type MetaChange, mergeMetaData } from "./meta-data.js";
import type { ItemRow, Order } from "./order.js";

/** An item that cannot be put on an order; code and text are WooCommerce's. */
export class ItemRefused extends Error {
  override readonly name = "ItemRefused";
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** A new item, or with an id a change of one; amounts in minor units. */
export interface ItemChange {
  type: "line_item" | "fee" | "shipping";
  id?: bigint | undefined;
  productId?: bigint | undefined;
  sku?: string | undefined;
  name?: string | undefined;
  methodId?: string | undefined;
  quantity?: number | undefined;
  subtotal?: bigint | undefined;
  total?: bigint | undefined;
  metaData?: MetaChange[] | undefined;
}

interface ProductOfItem {
  id: bigint;
  name: string;
  regular_price: bigint | null;
}

async function productOf(transaction: Transaction, change: ItemChange): Promise<ProductOfItem | undefined> {
  if (change.sku !== undefined && change.sku !== "") {
    return firstRow<ProductOfItem>(transaction, "SELECT * FROM product WHERE sku = $1", [change.sku]);
  }
  if (!change.productId) {
    throw new ItemRefused("woocommerce_rest_required_product_reference", "Product ID or SKU is required.");
  }
  return firstRow<ProductOfItem>(transaction, "SELECT * FROM product WHERE id = $1", [change.productId]);
}

async function addItem(transaction: Transaction, orderId: bigint, change: ItemChange): Promise<void> {
  const quantity = change.quantity ?? 1;
  let name = change.name ?? "";
  let productId = 0n;
  let standard = 0n;
  if (change.type === "line_item") {
    const product = await productOf(transaction, change);
    if (product) {
      productId = product.id;
      name = change.name ?? product.name;
      standard = (product.regular_price ?? 0n) * BigInt(quantity);
    }
  } else if (change.type === "fee" && name === "") {
    throw new ItemRefused("woocommerce_rest_invalid_fee_item", "Fee name is required.");
  } else if (change.type === "shipping" && !change.methodId) {
    throw new ItemRefused("woocommerce_rest_invalid_shipping_item", "Shipping method ID is required.");
  }
  // A total alone leaves the subtotal at the price: the difference shows as a discount.
  const total = change.total ?? standard;
  const subtotal = change.type === "line_item" ? (change.subtotal ?? standard) : total;
  const meta = await mergeMetaData(transaction, [], change.metaData ?? []);
  await transaction.query(
    `INSERT INTO order_item (order_id, type, name, product_id, method_id, quantity, subtotal, total, meta_data)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      orderId,
      change.type,
      name,
      productId,
      change.methodId ?? "",
      quantity,
      subtotal > total || change.type !== "line_item" ? subtotal : total,
      total,
      JSON.stringify(meta),
    ],
  );
}

async function updateItem(transaction: Transaction, item: ItemRow, change: ItemChange): Promise<void> {
  if (change.quantity === 0) {
    await transaction.query("DELETE FROM order_item WHERE id = $1", [item.id]);
    return;
  }
  const meta = await mergeMetaData(transaction, item.meta_data, change.metaData ?? []);
  await transaction.query(
    `UPDATE order_item SET name = $2, quantity = $3, subtotal = $4, total = $5, method_id = $6, meta_data = $7
      WHERE id = $1`,
    [
      item.id,
      change.name ?? item.name,
      change.quantity ?? item.quantity,
      change.subtotal ?? item.subtotal,
      change.total ?? item.total,
      change.methodId ?? item.method_id,
      JSON.stringify(meta),
    ],
  );
}

/**
 * Adds, changes and removes items of an order.
 *
 * @throws ItemRefused when one is incomplete or of another order.
 */
export async function changeItems(
  transaction: Transaction,
  order: Pick<Order, "id" | "items">,
  changes: ItemChange[],
): Promise<void> {
  for (const change of changes) {
    if (change.id === undefined) {
      await addItem(transaction, order.id, change);
      continue;
    }
    const item = order.items.find(({ id, type }) => id === change.id && type === change.type);
    if (!item) {
      const message = "Order item ID provided is not associated with order.";
      throw new ItemRefused("woocommerce_rest_invalid_item_id", message);
    }
    await updateItem(transaction, item, change);
  }
  const { items } = await oneRow<{ items: bigint }>(
    transaction,
    "SELECT count(*) AS items FROM order_item WHERE order_id = $1",
    [order.id],
  );
  if (items > BigInt(limits.orderItems)) {
    throw new ItemRefused(
      "woocommerce_rest_invalid_item",
      `An order has at most ${limits.orderItems} items.`,
    );
  }
}

/** Writes the order's totals anew from its items. */
export async function calculateTotals(transaction: Transaction, orderId: bigint): Promise<void> {
  await transaction.query(
    `UPDATE shop_order SET
        total = greatest(0, (SELECT coalesce(sum(total), 0) FROM order_item WHERE order_id = $1)),
        shipping_total = (SELECT coalesce(sum(total), 0) FROM order_item WHERE order_id = $1 AND type = 'shipping')
      WHERE id = $1`,
    [orderId],
  );
}
