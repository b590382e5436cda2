import { type PasskeySignature, Refusal } from "@tillgate/contract";
import type { ledger } from "@tillgate/database";
import type { Context } from "../../context.js";
import { partyAt, readSignature } from "../../credentials/passkeys.js";
import { OperationError } from "../../operation-error.js";
import type { PaymentPlan } from "./decide-payment.js";
import type { Checkout, Shopper } from "./read-checkout.js";
import { VERIFICATION } from "./shopper-passkeys.js";

/**
 * Makes sure that a passkey of the payer confirmed this payment: it signed a challenge that was drawn for this order, wallet
 * and quote. What is checked here is read without a lock; the payment checks again, under its locks, what can race.
 * @returns the evidence that the payment keeps.
 * @throws OperationError PasskeyRefused.
 */
export async function confirmByPasskey(
  context: Context,
  { order }: Checkout,
  { shopper, plan, signed }: { shopper: Shopper; plan: PaymentPlan; signed: PasskeySignature },
): Promise<ledger.PasskeyConfirmation> {
  const { prisma } = context.database;
  const challenge = challengeOf(signed);
  const asked = await prisma.paymentChallenge.findFirst({
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
  if (!asked || !passkey) throw new OperationError(Refusal.PasskeyRefused);
  const party = partyAt(context.config.payUrl);
  const newCounter = await readSignature(context, signed, passkey, {
    party,
    challenge,
    verification: VERIFICATION,
  });
  const { response } = signed;
  return {
    challenge_id: asked.id,
    passkey_id: passkey.id,
    counter: Number(passkey.counter),
    new_counter: newCounter,
    origin: party.origin,
    client_data: base64(response.clientDataJSON),
    authenticator_data: base64(response.authenticatorData),
    signature: base64(response.signature),
  };
}

const base64 = (text: string): string => Buffer.from(text, "base64url").toString("base64");

/** What the browser says that was signed. @throws OperationError PasskeyRefused for what is no client data. */
function challengeOf({ response: { clientDataJSON } }: PasskeySignature): string {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    if (
      said !== null &&
      typeof said === "object" &&
      "challenge" in said &&
      typeof said.challenge === "string"
    )
      return said.challenge;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new OperationError(Refusal.PasskeyRefused);
}
