import { Refusal } from "@tillgate/contract";
import type { PayoutModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";

/**
 * Reads one payout of the calling merchant.
 * @throws OperationError PayoutNotFound, also for another merchant's or the other mode's payout.
 */
export async function getPayout(
  { database: { prisma } }: Context,
  { merchantId, mode }: MerchantScope,
  id: string,
): Promise<PayoutModel> {
  const payout = await prisma.payout.findFirst({ where: { id, merchantId, mode } });
  if (!payout) throw new OperationError(Refusal.PayoutNotFound);
  return payout;
}
