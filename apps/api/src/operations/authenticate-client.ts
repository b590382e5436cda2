import { timingSafeEqual } from "node:crypto";
import type { Mode } from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import type { Context } from "../context.js";
import { OperationError, Refusal } from "./errors.js";

/** Who calls the Pay API: a merchant, in one mode, by one credential. */
export type Client = { merchantId: string; credentialId: string; mode: Mode };

/** Compared when the client id is unknown, so that an unknown id takes as long as a wrong secret. */
const NO_SECRET = Buffer.alloc(32);

/**
 * Finds the merchant behind a client id and secret.
 * @throws OperationError InvalidCredentials (one answer for unknown and wrong); only after the secret proved right:
 * WrongMode or MerchantSuspended.
 */
export async function authenticateClient(
  context: Context,
  input: { clientId: string; clientSecret: string; mode: Mode },
): Promise<Client> {
  const credential = await context.database.prisma.credential.findUnique({
    where: { clientId: input.clientId },
    select: {
      id: true,
      mode: true,
      merchantId: true,
      secretHash: true,
      revokedAt: true,
      merchant: { select: { suspendedAt: true } },
    },
  });
  const right = timingSafeEqual(hashSecret(input.clientSecret), credential?.secretHash ?? NO_SECRET);
  if (!credential || !right || credential.revokedAt) throw new OperationError(Refusal.InvalidCredentials);
  if (credential.mode !== input.mode)
    throw new OperationError(Refusal.WrongMode, { credentialMode: credential.mode });
  if (credential.merchant.suspendedAt) throw new OperationError(Refusal.MerchantSuspended);
  return { merchantId: credential.merchantId, credentialId: credential.id, mode: credential.mode };
}
