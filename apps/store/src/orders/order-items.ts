import type { Transaction } from "../database/database.js";

/** So many pieces of a product, at its price. */
export type OrderLine = {
  productId: bigint;
  quantity: number;
};

/** Something else that the order costs, in minor units; below zero it takes off. */
export type Fee = {
  name: string;
  total: bigint;
};

/** A line of a product that the shop does not have. */
export class NoSuchProduct extends Error {
  override readonly name = "NoSuchProduct";
}

/**
 * Adds items to an order and brings its total up to date.
 *
 * @throws NoSuchProduct
 */
export async function addItems(
  transaction: Transaction,
  orderId: bigint,
  lines: OrderLine[],
  fees: Fee[],
): Promise<void> {
  for (const { productId, quantity } of lines) {
    const { rowCount } = await transaction.query(
      `INSERT INTO order_item (order_id, type, name, product_id, quantity, total)
       SELECT $1, 'line_item', name, id, $3::integer, regular_price * $3::integer FROM product WHERE id = $2`,
      [orderId, productId, quantity],
    );
    if (rowCount === 0) throw new NoSuchProduct();
  }
  for (const { name, total } of fees) {
    await transaction.query(
      "INSERT INTO order_item (order_id, type, name, quantity, total) VALUES ($1, 'fee', $2, 1, $3)",
      [orderId, name, total],
    );
  }
  await transaction.query(
    `UPDATE shop_order SET
        total = greatest(0, (SELECT coalesce(sum(total), 0) FROM order_item WHERE order_id = $1)) WHERE id = $1`,
    [orderId],
  );
}
