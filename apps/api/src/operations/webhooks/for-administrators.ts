import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { OperationError } from "../../operation-error.js";
import {
  AdministrationError,
  AdministrationRefusal,
  invalidValue,
  notFound,
} from "../administration/errors.js";
import type { ReceiverScope } from "./receiver.js";

/** Whose an endpoint is: administrators name it by its id alone. @throws AdministrationError NotFound. */
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

/** Whose a delivery is. @throws AdministrationError NotFound. */
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

/** Does something with endpoints and puts its refusals into words for administrators. @throws AdministrationError. */
export async function asAdministration<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperationError) throw sentenceOf(error) ?? error;
    throw error;
  }
}

function sentenceOf({ refusal, details }: OperationError): AdministrationError | undefined {
  switch (refusal) {
    case Refusal.InvalidFields:
      return invalidValue(
        `${Object.values(details.fields ?? {})
          .flat()
          .join("; ")}.`,
      );
    case Refusal.ReceiverNotFound:
      return notFound("such endpoint any more");
    case Refusal.DeliveryNotFound:
      return notFound("such delivery any more");
    case Refusal.TooManyReceivers:
      return invalidValue(
        "The merchant has as many endpoints as it may have in this mode: remove one first.",
      );
    case Refusal.ReceiverInactive:
      return invalidValue("The endpoint is disabled or removed: enable it first.");
    case Refusal.ReceiverExists:
      return new AdministrationError(
        AdministrationRefusal.AlreadyExists,
        "The merchant has an endpoint with this address already.",
      );
    case Refusal.ReceiverRotationUnderWay:
      return new AdministrationError(
        AdministrationRefusal.AlreadyExists,
        "A rotation of this secret is under way: the old one still signs.",
      );
    default:
      return undefined;
  }
}
