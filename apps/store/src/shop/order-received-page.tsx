import type { ReactElement } from "react";
import { formatDecimal, formatPrice } from "../amounts.js";
import { needsPayment, type Order, statusNames } from "../orders/order.js";
import type { Refund } from "../orders/refunds.js";
import { Fact, OrderSummary, orderAddress } from "./order-summary.js";
import { Page } from "./page.js";

const received: Partial<Record<Order["status"], string>> = {
  processing: "Thank you. We’ve received your payment and are packing your order.",
  completed: "Thank you. Your order is complete.",
  "on-hold": "Thank you. We’ve received your order and are waiting for confirmation of your payment.",
  pending: "We’ve received your order, but no payment yet.",
  failed: "We’ve received your order, but the payment didn’t go through.",
  cancelled: "This order was cancelled.",
  refunded: "This order has been fully refunded.",
};

export function OrderReceivedPage({
  order,
  refunds,
  cartPieces,
}: {
  order: Order;
  refunds: Refund[];
  cartPieces: number;
}): ReactElement {
  return (
    <Page title={`Order ${order.id}`} cartPieces={cartPieces}>
      <div className="narrow wide" data-testid="order-received">
        <p className="eyebrow">Order received</p>
        <h1>{received[order.status] ?? "We’ve received your order."}</h1>
        <dl className="facts">
          <Fact name="Number">
            <span data-testid="order-number">{String(order.id)}</span>
          </Fact>
          <Fact name="Status">
            <span className={`status ${order.status}`} data-testid="order-status">
              {statusNames[order.status]}
            </span>
          </Fact>
          <Fact name="Payment method">{order.payment_method_title || "–"}</Fact>
          <Fact name="Total">
            <data value={formatDecimal(order.total)}>{formatPrice(order.total, order.currency)}</data>
          </Fact>
        </dl>
        <OrderSummary order={order} refunds={refunds} />
        <p className="actions">
          {needsPayment(order) ? (
            <a className="button" href={orderAddress("order-pay", order)} data-testid="pay-order">
              Pay now
            </a>
          ) : null}
          <a className={needsPayment(order) ? "button secondary" : "button"} href="/">
            Back to the shop
          </a>
        </p>
      </div>
    </Page>
  );
}
