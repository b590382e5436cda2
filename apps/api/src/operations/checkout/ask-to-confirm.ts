import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { Refusal } from "@tillgate/contract";
import { formatAmount } from "@tillgate/money";
import type { Context } from "../../context.js";
import { CHALLENGE_SECONDS } from "../../credentials/passkey-challenges.js";
import { partyAt, signingOptions } from "../../credentials/passkeys.js";
import { OperationError } from "../../operation-error.js";
import { spendConfirm } from "./checkout-limits.js";
import { decidePayment, type PaymentChoice } from "./decide-payment.js";
import { paymentText } from "./payment-text.js";
import type { Checkout } from "./read-checkout.js";
import { ownPasskeys, VERIFICATION } from "./shopper-passkeys.js";
import { refusalOf } from "./too-late.js";

const NONCE_BYTES = 32;

/**
 * Draws what a passkey is to sign to confirm this payment from this wallet: a text of what the page shows, kept until it was
 * used or is over. It ends with the order, the quote, or five minutes, whichever is first.
 * @param checkout read with the request's quote.
 * @throws OperationError OrderAlreadyPaid, OrderCancelled, OrderExpired, NotSignedIn, TooManyAttempts, what decidePayment
 * throws, PasskeyRefused for a shopper without a passkey.
 */
export async function askToConfirm(
  context: Context,
  checkout: Checkout,
  choice: PaymentChoice,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { order, shopper } = checkout;
  const settled = refusalOf(order.status);
  if (settled) throw new OperationError(settled);
  if (!shopper) throw new OperationError(Refusal.NotSignedIn);
  await spendConfirm(context, shopper.id);
  const plan = decidePayment(checkout, choice);
  const known = await ownPasskeys(context, shopper.id);
  if (known.length === 0) throw new OperationError(Refusal.PasskeyRefused);

  const { merchantId, mode } = order;
  const debit =
    plan.by === "quote" && checkout.offer !== null ? checkout.offer : { ...checkout, amount: order.amount };
  const ends = [
    order.expiresAt.getTime(),
    checkout.readAt.getTime() + CHALLENGE_SECONDS * 1_000,
    ...(plan.by === "quote" && checkout.offer !== null ? [checkout.offer.expiresAt.getTime()] : []),
  ];
  const expiresAt = new Date(Math.min(...ends));
  const text = paymentText({
    orderId: order.id,
    mode,
    payeeId: merchantId,
    payeeName: checkout.merchant.name,
    amount: formatAmount(order.amount, checkout.currency),
    debit: formatAmount(debit.amount, debit.currency),
    accountId: plan.walletId,
    shopperId: shopper.id,
    expiresAt: expiresAt.toISOString(),
    nonce: randomBytes(NONCE_BYTES).toString("base64url"),
  });
  const challenge = createHash("sha256").update(text).digest();
  await context.database.prisma.paymentChallenge.create({
    data: {
      id: randomUUID(),
      mode,
      orderId: order.id,
      walletUserId: shopper.id,
      accountId: plan.walletId,
      quoteId: plan.by === "quote" ? plan.quoteId : null,
      text,
      challenge: challenge.toString("base64url"),
      expiresAt,
    },
  });
  const party = partyAt(context.config.payUrl);
  return signingOptions({ party, known, verification: VERIFICATION }, Uint8Array.from(challenge));
}
