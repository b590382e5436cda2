import type { Transaction } from "../database/database.js";

/** A quantity of a product, charged at the product's price. */
export type OrderLine = {
  productId: bigint;
  quantity: number;
};

/** Another charge of the order, in minor units; negative for a discount. */
export type Fee = {
  name: string;
  total: bigint;
};

export class UnknownProduct extends Error {
  override readonly name = "UnknownProduct";
}

/** Adds items to an order and recalculates its total, which is never negative. @throws UnknownProduct if a line's product does not exist */
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
    if (rowCount === 0) throw new UnknownProduct();
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
