import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { notFound } from "../../operation-error.js";
import type { ReceiverScope } from "./receiver.js";

/** Whose an endpoint is: administrators name it by its id alone. @throws OperationError NotFound. */
export async function scopeOfReceiver(
  { database: { prisma } }: Context,
  id: string,
): Promise<ReceiverScope & { receiverId: string }> {
  const found = isIssuedId(id)
    ? await prisma.receiver.findFirst({
        where: { id, removedAt: null },
        select: { merchantId: true, mode: true },
      })
    : null;
  if (!found) throw notFound(`endpoint ${id}`);
  return { ...found, receiverId: id };
}

/** Whose a delivery is. @throws OperationError NotFound. */
export async function scopeOfDelivery(
  { database: { prisma } }: Context,
  id: string,
): Promise<ReceiverScope & { deliveryId: string }> {
  const found = isIssuedId(id)
    ? await prisma.delivery.findUnique({
        where: { id },
        select: { event: { select: { merchantId: true, mode: true } } },
      })
    : null;
  if (!found) throw notFound(`delivery ${id}`);
  return { ...found.event, deliveryId: id };
}
