import { queryFirstRow } from "@tillgate/service";
import { getStock } from "../catalogue/product.js";
import type { Database, Transaction } from "../database/database.js";
import { createOrder, updateOrder } from "../orders/create-order.js";
import { type Billing, lockOrder, needsPayment, type Order, orderIdSchema } from "../orders/order.js";
import { paymentMethods } from "../orders/payment-methods.js";
import { lockCart, readCart, renewSubmissionToken } from "./cart.js";

export type Checkout = {
  cartId: Buffer;
  /** Submission token of the cart as the shopper saw it. */
  submissionToken: string;
  currency: string;
  billing: Billing;
  customerNote: string;
};

export type PlaceOrderResult =
  | { outcome: "placed"; order: Order }
  | { outcome: "cart-changed" }
  | { outcome: "cart-empty" }
  | { outcome: "not-in-stock"; product: string; left: number };

/**
 * Creates an order from a cart. Idempotent per submission token: a resubmitted form returns the first order and, while it needs payment,
 * updates its address and note. If that order is cancelled, refunded or trashed and the cart is unchanged, a new order is created.
 */
export async function placeOrder(database: Database, checkout: Checkout): Promise<PlaceOrderResult> {
  return database.transaction(async (transaction) => {
    const token = await lockCart(transaction, checkout.cartId);
    const earlier = await findOrder(transaction, checkout);
    if (earlier && !(isClosed(earlier) && token === checkout.submissionToken)) {
      return { outcome: "placed", order: await correctAddress(transaction, earlier, checkout) };
    }
    if (token !== checkout.submissionToken) return { outcome: "cart-changed" };
    if (earlier) {
      // The unchanged cart is ordered again under a new token.
      await renewSubmissionToken(transaction, checkout.cartId);
    }
    return createCartOrder(transaction, checkout);
  });
}

/** Returns whether an order can no longer be paid or reused, in which case the same cart may be ordered again. */
const isClosed = ({ status }: Order): boolean =>
  status === "cancelled" || status === "refunded" || status === "trash";

async function findOrder(transaction: Transaction, checkout: Checkout): Promise<Order | undefined> {
  const row = await queryFirstRow(
    transaction,
    orderIdSchema,
    "SELECT id FROM shop_order WHERE submission_token = $1 AND cart_id = $2",
    [checkout.submissionToken, checkout.cartId],
  );
  return row ? lockOrder(transaction, row.id) : undefined;
}

/** Replaces the address and note of an order after a repeated submission, if the order needs payment. */
async function correctAddress(transaction: Transaction, order: Order, checkout: Checkout): Promise<Order> {
  if (!needsPayment(order)) return order;
  return updateOrder(transaction, order, {
    billing: checkout.billing,
    customerNote: checkout.customerNote,
  });
}

async function createCartOrder(transaction: Transaction, checkout: Checkout): Promise<PlaceOrderResult> {
  const cart = await readCart(transaction, checkout.cartId);
  if (cart.submissionToken === undefined) return { outcome: "cart-empty" };
  for (const { product, quantity } of cart.lines) {
    const left = getStock(product);
    if (left !== undefined && left < quantity) {
      return { outcome: "not-in-stock", product: product.name, left };
    }
  }
  const order = await createOrder(transaction, {
    createdVia: "store-api",
    currency: checkout.currency,
    billing: checkout.billing,
    customerNote: checkout.customerNote,
    paymentMethod: "tillgate",
    paymentMethodTitle: paymentMethods.tillgate,
    lines: cart.lines.map(({ product, quantity }) => ({ productId: product.id, quantity })),
    cart: { id: checkout.cartId, submissionToken: cart.submissionToken },
  });
  return { outcome: "placed", order };
}
