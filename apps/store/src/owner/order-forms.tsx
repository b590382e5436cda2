import type { ReactElement, ReactNode } from "react";
import { formatDecimal, formatPrice } from "../amounts.js";
import type { Order } from "../orders/order.js";
import { paymentMethods } from "../orders/payment-methods.js";
import type { Refund } from "../orders/refunds.js";
import { FormToken, TextField } from "../shop/form-fields.js";
import {
  canChangePaymentMethod,
  getOtherMethod,
  isCancellable,
  isRefundable,
  isTotalEditable,
} from "./order-actions.js";

export type OrderFormsProps = {
  order: Order;
  refunds: Refund[];
  formToken: string;
};

function ActionForm(props: {
  order: Order;
  action: string;
  formToken: string;
  children: ReactNode;
}): ReactElement {
  return (
    <form method="post" action={`/owner/orders/${props.order.id}/${props.action}`}>
      <FormToken value={props.formToken} />
      {props.children}
    </form>
  );
}

function RefundForm({
  order,
  left: refundable,
  formToken,
}: {
  order: Order;
  left: bigint;
  formToken: string;
}): ReactElement {
  return (
    <ActionForm order={order} action="refund" formToken={formToken}>
      <fieldset>
        <legend>Refund</legend>
        <input type="hidden" name="left" value={String(refundable)} />
        <TextField
          name="amount"
          label="Amount"
          value={formatDecimal(refundable)}
          hint={`Up to ${formatPrice(refundable, order.currency)}.`}
          autoComplete="off"
          maxLength={12}
        />
        <TextField name="reason" label="Reason" required={false} autoComplete="off" maxLength={200} />
        <button type="submit" data-testid="owner-refund-send">
          Refund
        </button>
      </fieldset>
    </ActionForm>
  );
}

export function OrderForms({ order, refunds, formToken }: OrderFormsProps): ReactElement {
  const refundable = order.total - refunds.reduce((sum, { amount }) => sum + amount, 0n);
  const method = getOtherMethod(order);
  return (
    <div className="narrow">
      {isRefundable(order) && refundable > 0n ? (
        <RefundForm order={order} left={refundable} formToken={formToken} />
      ) : null}
      {isTotalEditable(order) ? (
        <ActionForm order={order} action="total" formToken={formToken}>
          <fieldset>
            <legend>Edit total</legend>
            <input type="hidden" name="before" value={String(order.total)} />
            <TextField
              name="total"
              label="New total"
              value={formatDecimal(order.total)}
              autoComplete="off"
              maxLength={12}
            />
            <button type="submit" data-testid="owner-total">
              Save total
            </button>
          </fieldset>
        </ActionForm>
      ) : null}
      {canChangePaymentMethod(order) ? (
        <ActionForm order={order} action="method" formToken={formToken}>
          <input type="hidden" name="method" value={method} />
          <button type="submit" className="quiet" data-testid="owner-method">
            Change to {paymentMethods[method]}
          </button>
        </ActionForm>
      ) : null}
      {isCancellable(order) ? (
        <ActionForm order={order} action="cancel" formToken={formToken}>
          <button type="submit" className="danger" data-testid="owner-cancel">
            Cancel this order
          </button>
        </ActionForm>
      ) : null}
    </div>
  );
}
