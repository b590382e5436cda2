import type { AuditAction } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { type Recorded, recordOnConnection } from "../administration/change.js";
import { type ReceiverChange, requireReceiver } from "./receiver.js";
import { recordOfReceiverChange } from "./record-receiver-change.js";
import { type RecordResent, type ResentDelivery, resendDelivery } from "./resend-delivery.js";
import { type ResendFailed, type ResentFailed, resendFailed } from "./resend-failed.js";

/** Writes the audit record in the transaction that makes the deliveries due. */
const recorded =
  (
    change: Omit<ReceiverChange, "dryRun">,
    subject: string,
    action: AuditAction & `receiver.${string}`,
    detailsOf: (deliveries: number) => NonNullable<Recorded["details"]> = () => ({}),
  ): RecordResent =>
  (connection, deliveries) =>
    recordOnConnection(connection, recordOfReceiverChange(change, subject, action, detailsOf(deliveries)));

/** Sends one delivery again and records who asked. @throws OperationError as {@link resendDelivery}. */
export const resendDeliveryAs = (
  context: Context,
  input: Omit<ReceiverChange, "dryRun"> & { deliveryId: string },
): Promise<ResentDelivery> =>
  resendDelivery(context, input, recorded(input, input.deliveryId, "receiver.resend_delivery"));

/**
 * Sends the failed deliveries of a range again, or all settled ones, to one endpoint or to all receivers, and records who asked.
 * @throws OperationError ReceiverNotFound.
 */
export async function resendFailedAs(
  context: Context,
  input: Omit<ReceiverChange, "dryRun"> & Omit<ResendFailed, "merchantId" | "mode">,
): Promise<ResentFailed> {
  const { merchantId, mode, receiverId, from, to, what = "failed" } = input;
  if (receiverId !== undefined) await requireReceiver(context.database.prisma, input, receiverId);
  return resendFailed(
    context,
    input,
    recorded(
      input,
      receiverId ?? merchantId,
      what === "all" ? "receiver.resend_all" : "receiver.resend_failed",
      (deliveries) => ({
        mode,
        from: from.toISOString(),
        to: to.toISOString(),
        deliveries,
      }),
    ),
  );
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
