import { firstRowOf } from "@tillgate/service";
import { piecesLeft } from "../catalogue/product.js";
import type { Database, Transaction } from "../database/database.js";
import { createOrder, updateOrder } from "../orders/create-order.js";
import { type Billing, lockOrder, needsPayment, type Order, orderIdSchema } from "../orders/order.js";
import { paymentMethods } from "../orders/payment-methods.js";
import { lockCart, readCart, renewSubmissionToken } from "./cart.js";

export type Checkout = {
  cartId: Buffer;
  /** The token in the form: which state of the cart the shopper saw. */
  submissionToken: string;
  currency: string;
  billing: Billing;
  customerNote: string;
};

export type Placed =
  | { outcome: "placed"; order: Order }
  /** The cart is not the one that the shopper saw. */
  | { outcome: "cart-changed" }
  | { outcome: "cart-empty" }
  | { outcome: "not-in-stock"; product: string; left: number };

/**
 * Makes the order of a cart. The same form sent twice, also at the same moment, makes one order: the second gets the
 * first one's, unless that is cancelled.
 */
export async function placeOrder(database: Database, checkout: Checkout): Promise<Placed> {
  return database.transaction(async (transaction) => {
    const token = await lockCart(transaction, checkout.cartId);
    const earlier = await orderOf(transaction, checkout);
    if (earlier && !(isOver(earlier) && token === checkout.submissionToken)) {
      return { outcome: "placed", order: await corrected(transaction, earlier, checkout) };
    }
    if (token !== checkout.submissionToken) return { outcome: "cart-changed" };
    if (earlier) {
      // That order is over: the unchanged cart is bought once more, under a new token.
      await renewSubmissionToken(transaction, checkout.cartId);
    }
    return makeOrder(transaction, checkout);
  });
}

/** Such an order can neither be paid nor was it bought: the same cart may be ordered again. */
const isOver = ({ status }: Order): boolean =>
  status === "cancelled" || status === "refunded" || status === "trash";

async function orderOf(transaction: Transaction, checkout: Checkout): Promise<Order | undefined> {
  const row = await firstRowOf(
    transaction,
    orderIdSchema,
    "SELECT id FROM shop_order WHERE submission_token = $1 AND cart_id = $2",
    [checkout.submissionToken, checkout.cartId],
  );
  return row ? lockOrder(transaction, row.id) : undefined;
}

/** A second submission may carry a corrected address: it counts while the order is not paid. */
async function corrected(transaction: Transaction, order: Order, checkout: Checkout): Promise<Order> {
  if (!needsPayment(order)) return order;
  return updateOrder(transaction, order, {
    billing: checkout.billing,
    customerNote: checkout.customerNote,
  });
}

async function makeOrder(transaction: Transaction, checkout: Checkout): Promise<Placed> {
  const cart = await readCart(transaction, checkout.cartId);
  if (cart.submissionToken === undefined) return { outcome: "cart-empty" };
  for (const { product, quantity } of cart.lines) {
    const left = piecesLeft(product);
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
