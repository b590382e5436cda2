import { createHash } from "node:crypto";
import { modeSchema } from "@tillgate/contract";
import { formatAmount } from "@tillgate/money";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { SHOPPER_VERIFICATION, toRelyingParty, verifySignature } from "../identity/passkeys.js";
import { formatPaymentText, type PaymentFacts, readFact } from "./payment-text.js";

/** Payments per read. */
const BATCH = 500;
const MAX_VIOLATIONS = 50;

export type ConfirmationsProof = { checked: number; sound: boolean; violations: string[] };

const bytes = z.instanceof(Buffer);
const confirmationSchema = z.object({
  order_id: z.string(),
  mode: modeSchema,
  credential_id: z.string(),
  public_key: bytes,
  origin: z.string(),
  text: z.string(),
  client_data: bytes,
  authenticator_data: bytes,
  signature: bytes,
  paid_at: z.date(),
  merchant_id: z.string(),
  amount: z.bigint(),
  currency: z.string(),
  digits: z.int(),
  payer_amount: z.bigint(),
  payer_currency: z.string(),
  payer_digits: z.int(),
  payer_account_id: z.string(),
  shopper_id: z.string(),
  passkey_owner: z.string(),
});
type StoredConfirmation = z.output<typeof confirmationSchema>;

/**
 * Verifies the stored evidence of payments confirmed by passkey. The signature must match the stored key, origin and text. The text must match the
 * ledger. The payment must be at most one minute later than the challenge's expiry. Lists up to 50 violations.
 * @param options.orderId the only order to verify; default: all orders.
 */
export async function verifyConfirmations(
  context: Pick<Context, "database" | "log">,
  { orderId }: { orderId?: string | undefined } = {},
): Promise<ConfirmationsProof> {
  const violations: string[] = [];
  let checked = 0;
  for (let after = ""; ; ) {
    const rows = await queryRows(
      context.database.pool,
      confirmationSchema,
      `SELECT c.order_id, c.mode, c.credential_id, c.public_key, c.origin, c.text, c.client_data, c.authenticator_data, c.signature,
         o.paid_at, o.merchant_id, o.amount, o.currency, own.digits::int AS digits, o.payer_amount, o.payer_currency,
         payers.digits::int AS payer_digits, o.payer_account_id, a.wallet_user_id AS shopper_id, k.wallet_user_id AS passkey_owner
       FROM payment_confirmations c JOIN orders o ON o.id = c.order_id JOIN currencies own ON own.code = o.currency
       JOIN currencies payers ON payers.code = o.payer_currency JOIN accounts a ON a.id = o.payer_account_id
       JOIN wallet_passkeys k ON k.id = c.passkey_id
       WHERE c.order_id > $1 AND ($2::text IS NULL OR c.order_id = $2) ORDER BY c.order_id LIMIT $3`,
      [after, orderId ?? null, BATCH],
    );
    for (const confirmation of rows) {
      const violation = findTextError(confirmation) ?? (await findSignatureError(context, confirmation));
      if (violation !== null) violations.push(`order ${confirmation.order_id}: ${violation}`);
    }
    checked += rows.length;
    after = rows.at(-1)?.order_id ?? "";
    if (rows.length < BATCH)
      return { checked, sound: violations.length === 0, violations: violations.slice(0, MAX_VIOLATIONS) };
  }
}

/**
 * Checks the text, the passkey's owner and the payment time. The payee's name, the expiry and the nonce exist only in the text.
 * @returns the first violation; null if there is none.
 */
function findTextError(confirmation: StoredConfirmation): string | null {
  const readText = (name: keyof PaymentFacts) => readFact(confirmation.text, name) ?? "";
  const expiresAt = readText("expiresAt");
  const booked = formatPaymentText({
    orderId: confirmation.order_id,
    mode: confirmation.mode,
    payeeId: confirmation.merchant_id,
    payeeName: readText("payeeName"),
    amount: formatAmount(confirmation.amount, { code: confirmation.currency, digits: confirmation.digits }),
    debit: formatAmount(confirmation.payer_amount, {
      code: confirmation.payer_currency,
      digits: confirmation.payer_digits,
    }),
    accountId: confirmation.payer_account_id,
    shopperId: confirmation.shopper_id,
    expiresAt,
    nonce: readText("nonce"),
  });
  if (booked !== confirmation.text) return "the signed text differs from the ledger";
  if (confirmation.shopper_id !== confirmation.passkey_owner) return "the passkey is not the payer's";
  // The payment is written under the challenge's lock, just after its expiry was checked.
  if (!(confirmation.paid_at.getTime() <= new Date(expiresAt).getTime() + COMMIT_MS))
    return "the payment was made after the challenge had expired";
  return null;
}

/** How long the payment may take after its expiry check. */
const COMMIT_MS = 60_000;

async function findSignatureError(
  context: Pick<Context, "log">,
  confirmation: StoredConfirmation,
): Promise<string | null> {
  const toBase64url = (data: Buffer): string => data.toString("base64url");
  const { credential_id: id } = confirmation;
  try {
    await verifySignature(
      context,
      {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: toBase64url(confirmation.client_data),
          authenticatorData: toBase64url(confirmation.authenticator_data),
          signature: toBase64url(confirmation.signature),
        },
      },
      { credentialId: id, publicKey: confirmation.public_key, counter: 0n },
      {
        party: toRelyingParty(confirmation.origin),
        challenge: createHash("sha256").update(confirmation.text).digest("base64url"),
        verification: SHOPPER_VERIFICATION,
      },
    );
    return null;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return "the passkey's signature is not valid for the text";
  }
}
