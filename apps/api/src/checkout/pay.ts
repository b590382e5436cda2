import { ErrorCode, type PayRequest } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { recordCorrectPin } from "../identity/shoppers/session.js";
import { WalletClosedError } from "../ledger/errors.js";
import { findTooLateError, getRejection, isTooLateError } from "../money/orders/expire.js";
import { consumeConfirmationLimit } from "../platform/shopper-limits.js";
import { confirmByPasskey } from "./confirm.js";
import { decidePayment, type PaymentChoice, writePayment } from "./payment-groups.js";
import { quoteWallet } from "./quote.js";
import { type Checkout, readCheckout, type Shopper } from "./read.js";
import { withDeviceShopper } from "./wallet/devices.js";
import { verifyCurrentPin } from "./wallet/pins.js";

export type PayResult = {
  order: OrderModel;
  /** Whether the same shopper had already completed this step, so that this call moved no money. */
  repeated: boolean;
  /** Whether this call was confirmed by PIN or passkey, so that the payer was present. */
  confirmed: boolean;
};

const isPaidBy = ({ order, payment }: Checkout, shopper: Shopper | null): boolean =>
  order.status === "PAID" && shopper !== null && payment?.walletUserId === shopper.id;

/**
 * Pays an order from one of the signed-in shopper's wallets or, without a session, by passkey from the account recognized on this device. A
 * repeated call by the signed-in payer returns the same order. If the quote is unusable, creates a new quote, if possible, before throwing.
 * @param checkout must be read with the request's quote ID.
 * @throws OperationError NotSignedIn, TooManyAttempts, the errors of {@link decidePayment}, PasskeyRefused, PinNeeded, WrongPin, DeviceLocked,
 * NotPayableNow, PaymentLinkUsed, OrderAlreadyPaid, OrderCancelled, OrderExpired.
 */
export async function payOrder(
  context: Context,
  checkout: Checkout,
  request: Pick<PayRequest, "wallet_id" | "quote_id" | "pin" | "passkey">,
  caller: {
    session: string | undefined;
    device?: string | undefined;
    clientAddress: string;
    requestId: string;
  },
): Promise<PayResult> {
  const { order, shopper, sessionId } = checkout;
  if (isPaidBy(checkout, shopper)) return { order, repeated: true, confirmed: false };
  const rejection = getRejection(order.status);
  if (rejection) throw new OperationError(rejection);
  if (!shopper || sessionId === null) return payFromTrustedDevice(context, checkout, request, caller);
  await consumeConfirmationLimit(context, shopper.id);
  try {
    const plan = decidePayment(checkout, request);
    const { pin, passkey: signed } = request;
    const { clientAddress, requestId } = caller;
    const confirmation = signed ? await confirmByPasskey(context, checkout, { shopper, plan, signed }) : null;
    const confirmed =
      confirmation !== null ||
      (await confirmPin(context, shopper, { pin, sessionId, orderId: order.id, clientAddress }));
    const paid = await writePayment(context, {
      order,
      source:
        plan.by === "wallet"
          ? { payerAccountId: plan.walletId }
          : { quoteId: plan.quoteId, walletUserId: shopper.id },
      topUp: false,
      confirmation,
      requestId,
    });
    return { order: paid, repeated: false, confirmed };
  } catch (error) {
    if (error instanceof WalletClosedError) throw new OperationError(ErrorCode.WalletClosed);
    if (isTooLateError(error)) {
      const now = await readCheckout(context, order.token, caller.session);
      if (isPaidBy(now, shopper)) return { order: now.order, repeated: true, confirmed: false };
      throw await findTooLateError(context, order);
    }
    if (!(error instanceof OperationError)) throw error;
    if (error.errorCode === ErrorCode.ShopperQuoteUnusable)
      await requote(context, checkout, shopper, request);
    // The balance has changed since it was read, so this reads the wallet again to compute the missing amount.
    if (error.errorCode === ErrorCode.InsufficientBalance && error.details.missing === undefined)
      decidePayment(await readCheckout(context, order.token, caller.session, request.quote_id), request);
    throw error;
  }
}

/** Pays by passkey for an account that has signed in on this device before, without signing anyone in. */
async function payFromTrustedDevice(
  context: Context,
  checkout: Checkout,
  { passkey: signed }: Pick<PayRequest, "passkey">,
  { device, requestId }: { device?: string | undefined; requestId: string },
): Promise<PayResult> {
  const recognised = signed ? await withDeviceShopper(context, checkout, device) : null;
  if (!signed || recognised === null) throw new OperationError(ErrorCode.NotSignedIn);
  const { order, shopper } = recognised;
  await consumeConfirmationLimit(context, shopper.id);
  const plan = decidePayment(recognised, {});
  const confirmation = await confirmByPasskey(context, recognised, { shopper, plan, signed });
  try {
    const paid = await writePayment(context, {
      order,
      source: { payerAccountId: plan.walletId },
      topUp: false,
      confirmation,
      requestId,
    });
    return { order: paid, repeated: false, confirmed: true };
  } catch (error) {
    if (error instanceof WalletClosedError) throw new OperationError(ErrorCode.WalletClosed);
    if (isTooLateError(error)) throw await findTooLateError(context, order);
    throw error;
  }
}

/** Replaces an unusable quote if its wallet is known and the shopper has not requested too many quotes. */
async function requote(
  context: Context,
  checkout: Checkout,
  shopper: Shopper,
  { wallet_id: walletId, quote_id: quoteId }: PaymentChoice,
): Promise<void> {
  const quoted =
    walletId === undefined && quoteId !== undefined
      ? await context.database.prisma.shopperQuote.findFirst({
          where: { id: quoteId, orderId: checkout.order.id, walletUserId: shopper.id },
          select: { accountId: true },
        })
      : null;
  const chosenId = walletId ?? quoted?.accountId;
  if (chosenId === undefined) return;
  try {
    await quoteWallet(context, { ...checkout, offer: null }, chosenId);
  } catch (error) {
    const unhelpful = [ErrorCode.TooManyAttempts, ErrorCode.InvalidFields];
    if (!(error instanceof OperationError && unhelpful.includes(error.errorCode))) throw error;
  }
}

/**
 * Requires that this request contains the payer's PIN, or that the payer entered it for this order in the last few minutes.
 * @returns whether the request contained the PIN.
 */
async function confirmPin(
  context: Context,
  shopper: Shopper,
  {
    pin,
    sessionId,
    orderId,
    clientAddress,
  }: { pin: string | undefined; sessionId: string; orderId: string; clientAddress: string },
): Promise<boolean> {
  if (pin === undefined) {
    if (shopper.pinFresh) return false;
    throw new OperationError(ErrorCode.PinNeeded);
  }
  await verifyCurrentPin(context, {
    shopperId: shopper.id,
    sessionId,
    deviceId: shopper.deviceId,
    pin,
    clientAddress,
  });
  await recordCorrectPin(context, sessionId, orderId);
  return true;
}
