import type { Context } from "../../context.js";
import { type ReceiverScope, type ReceiverView, requireReceiver, viewReceiver } from "./receiver.js";

/** A merchant's endpoints of one mode with their health, the oldest first. Removed ones are not among them. */
export async function listReceivers(
  { database: { prisma } }: Context,
  { merchantId, mode }: ReceiverScope,
): Promise<ReceiverView[]> {
  const receivers = await prisma.receiver.findMany({
    where: { merchantId, mode, removedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return receivers.map(viewReceiver);
}

/** One endpoint. @throws OperationError ReceiverNotFound. */
export const getReceiver = async (
  { database: { prisma } }: Context,
  scope: ReceiverScope,
  id: string,
): Promise<ReceiverView> => viewReceiver(await requireReceiver(prisma, scope, id));
