import { randomUUID } from "node:crypto";
import { queryFirstRow, queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import { findProduct, getStock, type Product, productSchema } from "../catalogue/product.js";
import { limits } from "../config.js";
import type { Database, Queryable, Transaction } from "../database/database.js";

export type CartLine = {
  product: Product;
  quantity: number;
  /** Minor units. */
  total: bigint;
};

export type Cart = {
  lines: CartLine[];
  pieces: number;
  /** Minor units. */
  total: bigint;
  /** Identifies the cart's current content; undefined if the cart is empty. */
  submissionToken: string | undefined;
};

const lineSchema = productSchema.extend({ quantity: z.int() });
const cartSchema = z.object({ submission_token: z.string() });
const orderedCartSchema = z.object({ cart_id: z.instanceof(Buffer) });

export async function readCart(queryable: Queryable, cartId: Buffer): Promise<Cart> {
  const rows = await queryRows(
    queryable,
    lineSchema,
    `SELECT product.*, cart_item.quantity FROM cart_item JOIN product ON product.id = cart_item.product_id
      WHERE cart_item.cart_id = $1 ORDER BY cart_item.added_at, product.id`,
    [cartId],
  );
  const lines = rows.map(({ quantity, ...product }) => ({
    product,
    quantity,
    total: product.regular_price * BigInt(quantity),
  }));
  const cart = await queryFirstRow(queryable, cartSchema, "SELECT submission_token FROM cart WHERE id = $1", [
    cartId,
  ]);
  return {
    lines,
    pieces: lines.reduce((sum, line) => sum + line.quantity, 0),
    total: lines.reduce((sum, line) => sum + line.total, 0n),
    submissionToken: lines.length > 0 ? cart?.submission_token : undefined,
  };
}

/** Why a change to a cart was not fully applied. */
export type CartError = "no-such-product" | "sold-out" | "only-so-many" | "too-many-lines";

/**
 * Sets a product's quantity in a cart, up to its stock and the limit per product; 0 removes the product.
 * @param pieces computes the new quantity from the current one
 * @returns why the request was not fully applied; undefined if it was fully applied
 */
export async function setCartLine(
  database: Database,
  cartId: Buffer,
  productId: bigint,
  pieces: (before: number) => number,
): Promise<CartError | undefined> {
  return database.transaction(async (transaction) => {
    await lockCart(transaction, cartId);
    const { lines } = await readCart(transaction, cartId);
    const current = lines.find(({ product }) => product.id === productId)?.quantity ?? 0;
    const product = await findProduct(transaction, productId);
    if (!product) return "no-such-product";
    const requested = Math.max(0, pieces(current));
    const stock = getStock(product) ?? limits.pieces;
    const quantity = Math.min(requested, stock, limits.pieces);
    await renewSubmissionToken(transaction, cartId);
    if (quantity === 0) {
      await transaction.query("DELETE FROM cart_item WHERE cart_id = $1 AND product_id = $2", [
        cartId,
        productId,
      ]);
      return requested > 0 ? "sold-out" : undefined;
    }
    if (current === 0 && lines.length >= limits.cartLines) return "too-many-lines";
    await transaction.query(
      `INSERT INTO cart_item (cart_id, product_id, quantity, added_at) VALUES ($1, $2, $3, clock_timestamp())
       ON CONFLICT (cart_id, product_id) DO UPDATE SET quantity = excluded.quantity`,
      [cartId, productId, quantity],
    );
    return quantity < requested ? "only-so-many" : undefined;
  });
}

/** Locks a cart until the transaction ends, and creates the cart if it doesn't exist. @returns the cart's submission token */
export async function lockCart(transaction: Transaction, cartId: Buffer): Promise<string> {
  await transaction.query(
    `INSERT INTO cart (id, submission_token, modified_at) VALUES ($1, $2, clock_timestamp()) ON CONFLICT DO NOTHING`,
    [cartId, randomUUID()],
  );
  const { submission_token } = await queryOneRow(
    transaction,
    cartSchema,
    "SELECT submission_token FROM cart WHERE id = $1 FOR UPDATE",
    [cartId],
  );
  return submission_token;
}

/** Renews a cart's submission token, so that a checkout with the new token creates a new order. */
export async function renewSubmissionToken(transaction: Transaction, cartId: Buffer): Promise<void> {
  await transaction.query(
    "UPDATE cart SET submission_token = $2, modified_at = clock_timestamp() WHERE id = $1",
    [cartId, randomUUID()],
  );
}

/** Empties the cart that an order was created from, if any. Only the first call for an order has an effect. */
export async function emptyCartOfOrder(database: Database, orderId: bigint): Promise<void> {
  await database.transaction(async (transaction) => {
    const order = await queryFirstRow(
      transaction,
      orderedCartSchema,
      `UPDATE shop_order SET cart_emptied_at = clock_timestamp()
        WHERE id = $1 AND cart_emptied_at IS NULL AND cart_id IS NOT NULL RETURNING cart_id`,
      [orderId],
    );
    if (!order) return;
    await lockCart(transaction, order.cart_id);
    await transaction.query("DELETE FROM cart_item WHERE cart_id = $1", [order.cart_id]);
    await renewSubmissionToken(transaction, order.cart_id);
  });
}
