import { TillgateApiError } from "@tillgate/client";
import type { Order } from "@tillgate/contract";
import { ConnectorError } from "../connector-error.js";
import type { PlacedPayment, UnplacedPayment } from "../records/records.js";
import type { ConnectorContext } from "./context.js";
import { tillgateClient } from "./credentials.js";

/**
 * Creates the Tillgate order of a stored payment. A retry sends the stored request with the same idempotency key. The store order must be
 * claimed.
 * @throws ConnectorError `payment_refused` if Tillgate rejects the order (the rejection is stored) or returns no payment page, `credential_gone`;
 * the client's error if the outcome is unknown
 */
export async function createTillgateOrder(
  context: ConnectorContext,
  payment: UnplacedPayment,
): Promise<{ payment: PlacedPayment; remote: Order }> {
  const { payments, log } = context;
  const tillgate = tillgateClient(context, payment.credential);
  let remote: Order;
  try {
    remote = await tillgate.orders.create(payment.request);
  } catch (error) {
    if (!(error instanceof TillgateApiError) || !isPermanentRejection(error.status)) throw error;
    await payments.markRejected(payment.id);
    log.error(
      { order: payment.storeOrderId, status: error.status, requestId: error.requestId },
      `Tillgate rejected the payment: ${error.messages.join(" ")}`,
    );
    const text =
      error.status === 401
        ? "Tillgate rejected this store's API key. Check the client ID, client secret and mode."
        : `Tillgate rejected the payment: ${error.messages.join(" ")}`;
    throw new ConnectorError("payment_refused", text, { cause: error });
  }
  if (remote.payment_url === null) {
    throw new ConnectorError("payment_refused", `Tillgate returned no payment page for ${remote.order_id}.`);
  }
  const placed = await payments.markPlaced(payment.id, {
    tillgateOrderId: remote.order_id,
    paymentUrl: remote.payment_url,
    qrData: remote.qr_data,
    expiresAt: new Date(remote.expires_at),
  });
  return { payment: placed, remote };
}

/** After a permanent rejection, nothing was created, and a retry would fail too. */
const isPermanentRejection = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;
