import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { ErrorCode, type PasskeySignature } from "@tillgate/contract";
import type { ledger } from "@tillgate/database";
import { formatAmount } from "@tillgate/money";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import {
  CHALLENGE_SECONDS,
  createSigningOptions,
  SHOPPER_VERIFICATION,
  toRelyingParty,
  verifySignature,
} from "../identity/passkeys.js";
import { getRejection } from "../money/orders/expire.js";
import { consumeConfirmationLimit } from "../platform/shopper-limits.js";
import { decidePayment, type PaymentChoice, type PaymentPlan } from "./payment-groups.js";
import { formatPaymentText } from "./payment-text.js";
import type { Checkout, Shopper } from "./read.js";
import { listActivePasskeys } from "./wallet/passkeys.js";

const NONCE_BYTES = 32;

/**
 * Creates the challenge that a passkey signs to confirm a payment from the chosen wallet. The challenge expires with the order, with the quote, or
 * after {@link CHALLENGE_SECONDS}, whichever comes first.
 * @param checkout must be read with the request's quote ID.
 * @throws OperationError OrderAlreadyPaid, OrderCancelled, OrderExpired, NotSignedIn, TooManyAttempts, PasskeyRefused for a shopper without a
 * passkey; and the errors of {@link decidePayment}.
 */
export async function startConfirmation(
  context: Context,
  checkout: Checkout,
  choice: PaymentChoice,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { order, shopper } = checkout;
  const rejection = getRejection(order.status);
  if (rejection) throw new OperationError(rejection);
  if (!shopper) throw new OperationError(ErrorCode.NotSignedIn);
  await consumeConfirmationLimit(context, shopper.id);
  const plan = decidePayment(checkout, choice);
  const passkeys = await listActivePasskeys(context, shopper.id);
  if (passkeys.length === 0) throw new OperationError(ErrorCode.PasskeyRefused);

  const { merchantId, mode } = order;
  const debit =
    plan.by === "quote" && checkout.offer !== null ? checkout.offer : { ...checkout, amount: order.amount };
  const ends = [
    order.expiresAt.getTime(),
    checkout.readAt.getTime() + CHALLENGE_SECONDS * 1_000,
    ...(plan.by === "quote" && checkout.offer !== null ? [checkout.offer.expiresAt.getTime()] : []),
  ];
  const expiresAt = new Date(Math.min(...ends));
  const text = formatPaymentText({
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
  const party = toRelyingParty(context.config.payUrl);
  return createSigningOptions(
    { party, known: passkeys, verification: SHOPPER_VERIFICATION },
    Uint8Array.from(challenge),
  );
}

/**
 * Verifies that a passkey of the payer signed an unused challenge of this order, wallet and quote. The SQL function that
 * writes the payment also checks, while it holds the locks, that the challenge is still unused and has not expired.
 * @returns the evidence to store with the payment.
 * @throws OperationError PasskeyRefused.
 */
export async function confirmByPasskey(
  context: Context,
  { order }: Checkout,
  { shopper, plan, signed }: { shopper: Shopper; plan: PaymentPlan; signed: PasskeySignature },
): Promise<ledger.PasskeyConfirmation> {
  const { prisma } = context.database;
  const challenge = readChallenge(signed);
  const stored = await prisma.paymentChallenge.findFirst({
    where: {
      challenge,
      mode: order.mode,
      orderId: order.id,
      walletUserId: shopper.id,
      accountId: plan.walletId,
      quoteId: plan.by === "quote" ? plan.quoteId : null,
      usedAt: null,
    },
  });
  const passkey = await prisma.walletPasskey.findFirst({
    where: { mode: order.mode, walletUserId: shopper.id, credentialId: signed.id, revokedAt: null },
  });
  if (!stored || !passkey) throw new OperationError(ErrorCode.PasskeyRefused);
  const party = toRelyingParty(context.config.payUrl);
  const newCounter = await verifySignature(context, signed, passkey, {
    party,
    challenge,
    verification: SHOPPER_VERIFICATION,
  });
  const { response } = signed;
  return {
    challenge_id: stored.id,
    passkey_id: passkey.id,
    counter: Number(passkey.counter),
    new_counter: newCounter,
    origin: party.origin,
    client_data: toBase64(response.clientDataJSON),
    authenticator_data: toBase64(response.authenticatorData),
    signature: toBase64(response.signature),
  };
}

const toBase64 = (text: string): string => Buffer.from(text, "base64url").toString("base64");

function readChallenge({ response: { clientDataJSON } }: PasskeySignature): string {
  try {
    const clientData: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    if (
      clientData !== null &&
      typeof clientData === "object" &&
      "challenge" in clientData &&
      typeof clientData.challenge === "string"
    )
      return clientData.challenge;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new OperationError(ErrorCode.PasskeyRefused);
}
