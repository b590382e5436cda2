import type { CheckoutView } from "@tillgate/contract";
import { formatAmount } from "@tillgate/money";
import type { CheckoutDetails } from "../../operations/checkout/view-checkout.js";
import { paymentAddress } from "../pay/shapes.js";
import { wireTime } from "../shared/wire-time.js";

/** An order as the payment page draws it. */
export function shapeCheckout(details: CheckoutDetails, payUrl: string): CheckoutView {
  const { order, currency, shopper } = details;
  const wallet = shopper?.wallet;
  const balance = wallet?.balance ?? 0n;
  return {
    order: {
      order_id: order.id,
      mode: order.mode,
      status: order.state,
      version: order.version,
      merchant_name: order.merchant.name,
      description: order.description,
      reference: order.orderNumber ?? order.reference,
      amount: formatAmount(order.amount, currency),
      currency: order.currency,
      payment_method: order.paymentMethod,
      qr_data: order.paymentMethod === "payment_page" ? null : paymentAddress(payUrl, order),
      payment_url: paymentAddress(payUrl, order),
      trx_id: order.trxId,
      paid_at: order.paidAt && wireTime(order.paidAt),
      refunded_amount: order.refunded === 0n ? null : formatAmount(order.refunded, currency),
      created_at: wireTime(order.createdAt),
      expires_at: wireTime(order.expiresAt),
    },
    expires_in_ms: details.expiresInMs,
    return_to: details.returnTo,
    shopper: shopper && {
      name: shopper.name,
      wallet: wallet
        ? {
            wallet_id: wallet.id,
            currency: order.currency,
            balance: formatAmount(balance, currency),
            sufficient: balance >= order.amount,
          }
        : null,
    },
    form_token: details.formToken,
  };
}
