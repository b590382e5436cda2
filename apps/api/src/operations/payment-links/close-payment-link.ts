import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { change, recordChange } from "../administration/change.js";
import type { ConsoleAccess } from "../console/console-access.js";
import { type PaymentLinkModel, requirePaymentLink } from "./payment-link.js";

/**
 * Closes a payment link or opens it again. An order that is under way stays. What is so already changes nothing.
 * @throws OperationError PaymentLinkNotFound.
 */
export async function closePaymentLink(
  context: Context,
  { merchantId, mode, by, linkId }: MerchantScope & Pick<ConsoleAccess, "by"> & { linkId: string },
  closed: boolean,
): Promise<PaymentLinkModel> {
  const { id } = await requirePaymentLink(context, { merchantId, mode }, linkId);
  return change(context, {}, async (tx) => {
    const { count } = await tx.paymentLink.updateMany({
      where: { id, closedAt: closed ? null : { not: null } },
      data: { closedAt: closed ? new Date() : null },
    });
    if (count > 0)
      await recordChange(tx, {
        administrator: by,
        merchantId,
        action: closed ? "payment_link.close" : "payment_link.open",
        subject: id,
        details: { mode },
      });
    return tx.paymentLink.findUniqueOrThrow({ where: { id } });
  });
}
