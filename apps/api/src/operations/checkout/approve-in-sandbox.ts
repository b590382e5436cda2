import { type PaymentControl, Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { WalletClosedError } from "../../ledger/refusals.js";
import { OperationError } from "../../operation-error.js";
import { takePaymentControl } from "../../test-controls/take-control.js";
import { missingFrom } from "./decide-payment.js";
import type { Done } from "./pay-order.js";
import { writePayment } from "./payment-sets.js";
import { type Checkout, readCheckout } from "./read-checkout.js";
import { quoteTestWallet, testWallet } from "./test-wallet.js";
import { isTooLate, whyTooLate } from "./too-late.js";

/**
 * Approves an order in the sandbox: its merchant's built-in test shopper pays, from money issued for this order. A repeat
 * after its own success moves nothing.
 * @param how converted, or with too little; left out: as the merchant ordered of its next payment.
 * @throws OperationError SandboxOnly, OrderAlreadyPaid, OrderCancelled, OrderExpired, WalletClosed; InsufficientBalance of a shopper
 * who has too little; NoRate where no other currency leads to the order's.
 */
export async function approveInSandbox(
  context: Context,
  checkout: Checkout,
  { requestId, how }: { requestId: string; how?: PaymentControl },
): Promise<Pick<Done, "order" | "repeated">> {
  const { order, payment } = checkout;
  if (order.mode !== "sandbox") throw new OperationError(Refusal.SandboxOnly);
  if (payment?.inTest) return { order, repeated: true };
  const control =
    how ?? (order.status === "PENDING" ? await takePaymentControl(context, order.merchantId) : undefined);
  if (control === "payment_insufficient") refuseWithTooLittle(checkout);
  try {
    const source =
      control === "payment_converted"
        ? await quoteTestWallet(context, checkout)
        : { payerAccountId: (await testWallet(context, order, order.currency)).id };
    const paid = await writePayment(context, { order, source, topUp: true, confirmation: null, requestId });
    return { order: paid, repeated: false };
  } catch (error) {
    if (error instanceof WalletClosedError) throw new OperationError(Refusal.WalletClosed);
    const paidMeanwhile = error instanceof OperationError && error.refusal === Refusal.OrderAlreadyPaid;
    if (!isTooLate(error) && !paidMeanwhile) throw error;
    const now = await readCheckout(context, order.token, undefined);
    if (now.payment?.inTest) return { order: now.order, repeated: true };
    throw await whyTooLate(context, order);
  }
}

/** As from a wallet that is empty. @throws OperationError InsufficientBalance, with what is missing. */
function refuseWithTooLittle({ order, currency }: Checkout): never {
  const missing = missingFrom({ balance: 0n, currency }, order.amount);
  throw new OperationError(Refusal.InsufficientBalance, missing === null ? {} : { missing });
}
