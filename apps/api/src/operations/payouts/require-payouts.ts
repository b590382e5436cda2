import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { spendRequest } from "../../credentials/request-limits.js";
import type { Allowance } from "../../limits/rate-limiter.js";
import { OperationError } from "../../operation-error.js";

/**
 * A payout by hand needs what a call of the Partner API needs of the merchant, and counts as one: lookups tell names.
 * @throws OperationError MerchantSuspended, PartnerApiDisabled, TooManyRequests.
 */
export async function requirePayouts(context: Context, scope: MerchantScope): Promise<Allowance> {
  const requestsAMinute = await requirePayoutsOn(context, scope);
  return spendRequest(context, "partner", { ...scope, requestsAMinute });
}

/**
 * The same without counting a call.
 * @returns the merchant's own limit of requests a minute, or null.
 * @throws OperationError MerchantSuspended, PartnerApiDisabled.
 */
export async function requirePayoutsOn(
  { database: { prisma } }: Context,
  { merchantId }: MerchantScope,
): Promise<number | null> {
  const { suspendedAt, partnerApiEnabled, partnerRequestsAMinute } = await prisma.merchant.findUniqueOrThrow({
    where: { id: merchantId },
    select: { suspendedAt: true, partnerApiEnabled: true, partnerRequestsAMinute: true },
  });
  if (suspendedAt) throw new OperationError(Refusal.MerchantSuspended);
  if (!partnerApiEnabled) throw new OperationError(Refusal.PartnerApiDisabled);
  return partnerRequestsAMinute;
}
