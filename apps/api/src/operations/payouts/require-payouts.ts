import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";

/**
 * A payout by hand needs what a call of the Partner API needs of the merchant.
 * @throws OperationError MerchantSuspended, PartnerApiDisabled.
 */
export async function requirePayouts(
  { database: { prisma } }: Context,
  { merchantId }: MerchantScope,
): Promise<void> {
  const { suspendedAt, partnerApiEnabled } = await prisma.merchant.findUniqueOrThrow({
    where: { id: merchantId },
    select: { suspendedAt: true, partnerApiEnabled: true },
  });
  if (suspendedAt) throw new OperationError(Refusal.MerchantSuspended);
  if (!partnerApiEnabled) throw new OperationError(Refusal.PartnerApiDisabled);
}
