import type { ReactElement, ReactNode } from "react";
import { formatPrice } from "../amounts.js";
import type { Order } from "../orders/order.js";
import type { Refund } from "../orders/refunds.js";

export const orderAddress = (
  kind: "order-pay" | "order-received" | "status",
  { id, order_key }: Order,
): string => `/checkout/${kind}/${id}?key=${order_key}`;

/** Returns the path to which the shopper returns after the payment, whatever its outcome. */
export const returnAddress = ({ id, order_key }: Order): string =>
  `/checkout/return?order=${id}&key=${order_key}`;

export function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function OrderSummary({ order, refunds }: { order: Order; refunds: Refund[] }): ReactElement {
  return (
    <div className="summary">
      <ul>
        {order.items.map((item) => (
          <li key={String(item.id)}>
            <span>
              {item.quantity} × {item.name}
            </span>
            <span>{formatPrice(item.total, order.currency)}</span>
          </li>
        ))}
      </ul>
      <p className="total">
        <span>Total</span>
        <strong data-testid="order-total">{formatPrice(order.total, order.currency)}</strong>
      </p>
      {refunds.map((refund) => (
        <p className="refunded" key={String(refund.id)} data-testid="order-refund">
          <span>Refunded{refund.reason === "" ? "" : `: ${refund.reason}`}</span>
          <span>{formatPrice(-refund.amount, order.currency)}</span>
        </p>
      ))}
    </div>
  );
}
