import type { PaymentRequest } from "../records/records.js";
import type { ConnectorSettings } from "../settings.js";
import type { StoreOrder } from "../store/store-access.js";
import { decimalText } from "../store/store-amount.js";
import { describeItems } from "./describe-items.js";
import { orderMark } from "./order-mark.js";

/** What Tillgate is asked for, for a store order, but for its key. */
export function paymentRequest(
  settings: ConnectorSettings,
  order: StoreOrder,
  { amountMinor, currency }: { amountMinor: bigint; currency: string },
): Omit<PaymentRequest, "idempotency_key"> {
  const address = settings.returnUrl
    .replaceAll("{order_id}", encodeURIComponent(String(order.id)))
    .replaceAll("{order_key}", encodeURIComponent(order.orderKey));
  return {
    amount: decimalText(amountMinor, currency),
    currency,
    payment_method: "both",
    reference: order.number,
    description: describeItems(order.items, order.number),
    metadata: orderMark(settings.siteUrl, order),
    callback_url: settings.callbackUrl,
    return_url: address,
    cancel_url: address,
    expires_in: settings.expiresInSeconds,
  };
}
