import { TillgateApiError } from "@tillgate/client";
import type { Order } from "@tillgate/contract";
import { ConnectorError } from "../connector-error.js";
import type { PlacedPayment, UnplacedPayment } from "../records/records.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";

/**
 * Has Tillgate make the order of a stored payment. Safe to repeat: the key and the request are the stored ones, so a
 * call whose answer was lost finds the order it made. To be called under the order's claim.
 *
 * @returns the payment with its order, and the order as Tillgate has it now
 * @throws ConnectorError `payment_refused` where Tillgate refuses it; the client's error where the outcome is unknown
 */
export async function createTillgateOrder(
  context: ConnectorContext,
  payment: UnplacedPayment,
): Promise<{ payment: PlacedPayment; remote: Order }> {
  const { payments, log } = context;
  const tillgate = tillgateOf(context, payment.credential);
  let remote: Order;
  try {
    remote = await tillgate.orders.create(payment.request);
  } catch (error) {
    if (!(error instanceof TillgateApiError) || !isFinal(error.status)) throw error;
    await payments.refused(payment.id);
    log.error(
      { order: payment.storeOrderId, status: error.status, requestId: error.requestId },
      `Tillgate refuses the payment: ${error.messages.join(" ")}`,
    );
    const text =
      error.status === 401
        ? "Tillgate refuses this store's credentials. Please check client id, client secret and mode."
        : `Tillgate refuses the payment: ${error.messages.join(" ")}`;
    throw new ConnectorError("payment_refused", text, { cause: error });
  }
  if (remote.payment_url === null) {
    throw new ConnectorError("payment_refused", `Tillgate gave no payment page for ${remote.order_id}.`);
  }
  const known = await payments.placed(payment.id, {
    tillgateOrderId: remote.order_id,
    paymentUrl: remote.payment_url,
    qrData: remote.qr_data,
    expiresAt: new Date(remote.expires_at),
  });
  return { payment: known, remote };
}

/** A refusal that made nothing and that a repeat would get again. */
const isFinal = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;
