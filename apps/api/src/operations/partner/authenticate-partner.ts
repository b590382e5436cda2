import type { Mode } from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError, Refusal } from "../errors.js";

/** Who calls the Partner API: a merchant, in the mode that the token is for. */
export type Partner = { merchantId: string; credentialId: string; mode: Mode };

/**
 * Finds the merchant behind an API token, by the token's hash.
 * @throws OperationError InvalidCredentials, MerchantSuspended, PartnerApiDisabled.
 */
export async function authenticatePartner(context: Context, token: string): Promise<Partner> {
  const credential = await context.database.prisma.credential.findFirst({
    where: {
      secretHash: hashSecret(token),
      kind: "api_token",
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
    select: {
      id: true,
      mode: true,
      merchantId: true,
      merchant: { select: { suspendedAt: true, partnerApiEnabled: true } },
    },
  });
  if (!credential) throw new OperationError(Refusal.InvalidCredentials);
  if (credential.merchant.suspendedAt) throw new OperationError(Refusal.MerchantSuspended);
  if (!credential.merchant.partnerApiEnabled) throw new OperationError(Refusal.PartnerApiDisabled);
  return { merchantId: credential.merchantId, credentialId: credential.id, mode: credential.mode };
}
