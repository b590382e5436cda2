import type { Context } from "../../context.js";
import { change } from "../administration/change.js";
import { type ReceiverChange, requireReceiver } from "./receiver.js";
import { recordReceiverChange } from "./record-receiver-change.js";
import { type ResentDelivery, resendDelivery } from "./resend-delivery.js";
import { type ResentFailed, resendFailed } from "./resend-failed.js";

/** Sends one delivery again and records who asked. @throws OperationError as {@link resendDelivery}. */
export async function resendDeliveryAs(
  context: Context,
  input: Omit<ReceiverChange, "dryRun"> & { deliveryId: string },
): Promise<ResentDelivery> {
  const resent = await resendDelivery(context, input);
  if (!resent.alreadyWaiting)
    await change(context, {}, (tx) =>
      recordReceiverChange(tx, input, resent.deliveryId, "receiver.resend_delivery"),
    );
  return resent;
}

/**
 * Sends the failed deliveries of a range again, to one endpoint or to all receivers, and records who asked.
 * @throws OperationError ReceiverNotFound.
 */
export async function resendFailedAs(
  context: Context,
  input: Omit<ReceiverChange, "dryRun"> & { receiverId?: string | undefined; from: Date; to: Date },
): Promise<ResentFailed> {
  const { merchantId, receiverId, from, to } = input;
  if (receiverId !== undefined) await requireReceiver(context.database.prisma, input, receiverId);
  const result = await resendFailed(context, input);
  if (result.resent > 0)
    await change(context, {}, (tx) =>
      recordReceiverChange(tx, input, receiverId ?? merchantId, "receiver.resend_failed", {
        mode: input.mode,
        from: from.toISOString(),
        to: to.toISOString(),
        deliveries: result.resent,
      }),
    );
  return result;
}

/** How many deliveries of the range have failed: what {@link resendFailedAs} would look at. @throws OperationError ReceiverNotFound. */
export async function countFailed(
  { database: { prisma } }: Context,
  input: Omit<ReceiverChange, "dryRun" | "by"> & { receiverId?: string | undefined; from: Date; to: Date },
): Promise<number> {
  const { merchantId, mode, receiverId, from, to } = input;
  if (receiverId !== undefined) await requireReceiver(prisma, input, receiverId);
  return prisma.delivery.count({
    where: {
      status: "failed",
      event: { merchantId, mode, createdAt: { gte: from, lt: to } },
      ...(receiverId === undefined ? {} : { receiverId }),
    },
  });
}
