import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";
import { ofPayment, type RefundOfPayment, withTransaction } from "./refund-of-payment.js";

/**
 * Reads one refund of the calling merchant.
 * @throws OperationError RefundNotFound, also for another merchant's or the other mode's refund.
 */
export async function getRefund(
  context: Context,
  client: MerchantScope,
  refundId: string,
): Promise<RefundOfPayment> {
  const row = await context.database.prisma.refund.findFirst({
    where: { id: refundId, merchantId: client.merchantId, mode: client.mode },
    include: withTransaction,
  });
  if (!row) throw new OperationError(Refusal.RefundNotFound);
  return ofPayment(row);
}
