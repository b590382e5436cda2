import type { OrderModel } from "@tillgate/database";

const OUTCOME = {
  PENDING: null,
  PAID: "paid",
  REFUND_PENDING: "paid",
  REFUNDED: "paid",
  EXPIRED: "expired",
  CANCELLED: "cancelled",
} as const;

/**
 * Where the shopper goes when an order is settled: `return_url` when it was paid, else `cancel_url`, else `return_url`
 * with the status; null when there is no address or the order is still pending. The shop's own query is kept as it is;
 * what is added is a hint for the shopper's screen, never proof (the wire contract's return rules).
 */
export function returnAddress(
  order: Pick<
    OrderModel,
    "state" | "token" | "returnUrl" | "cancelUrl" | "orderNumber" | "reference" | "trxId" | "custom"
  >,
): string | null {
  const status = OUTCOME[order.state];
  const address = status === "paid" ? order.returnUrl : (order.cancelUrl ?? order.returnUrl);
  if (!status || !address) return null;
  const url = new URL(address);
  const added = new URLSearchParams({ token: order.token, status });
  if (order.orderNumber !== null) added.set("order_number", order.orderNumber);
  else if (order.reference !== null) added.set("reference", order.reference);
  if (order.trxId !== null) added.set("trx_id", order.trxId);
  if (order.custom !== null) added.set("custom", order.custom);
  url.search = url.search ? `${url.search}&${added}` : `?${added}`;
  return url.href;
}
