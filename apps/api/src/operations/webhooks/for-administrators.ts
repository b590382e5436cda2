import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { notFound } from "../../operation-error.js";
import type { ReceiverScope } from "./receiver.js";

/** The merchant of an endpoint: administrators name an endpoint by its id alone. @throws OperationError NotFound. */
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

/** The merchant of a delivery. @throws OperationError NotFound. */
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
