import { type EventName, isEventName, type Mode, Refusal } from "@tillgate/contract";
import type { ReceiverModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { OperationError } from "../../operation-error.js";
import { likelyCause } from "../../outbox/likely-cause.js";
import type { ApiCall, Manager } from "../administration/administrator.js";

/** The owner of endpoints: nothing of another merchant or mode is ever found. */
export type ReceiverScope = { merchantId: string; mode: Mode };

/** What every change of an endpoint takes. */
export type ReceiverChange = ReceiverScope & {
  by: Manager | ApiCall;
  /** Do everything, return the result, and write nothing. */
  dryRun?: boolean | undefined;
};

/** An endpoint with its health, without its secret. */
export type ReceiverView = {
  id: string;
  mode: Mode;
  address: string;
  events: EventName[];
  state: "active" | "paused" | "disabled";
  disabledReason: string | null;
  disabledAt: Date | null;
  verifiedAt: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** In words; null when the last attempt succeeded, or there was none. */
  likelyCause: string | null;
  failuresInRow: number;
  failingSince: Date | null;
  previousSecretExpiresAt: Date | null;
  createdAt: Date;
};

export function viewReceiver(receiver: ReceiverModel): ReceiverView {
  const { disabledAt, pausedAt, previousSecretExpiresAt: expires } = receiver;
  return {
    id: receiver.id,
    mode: receiver.mode,
    address: receiver.address,
    events: receiver.events.filter(isEventName),
    state: disabledAt ? "disabled" : pausedAt ? "paused" : "active",
    disabledReason: receiver.disabledReason,
    disabledAt,
    verifiedAt: receiver.verifiedAt,
    lastSuccessAt: receiver.lastSuccessAt,
    lastFailureAt: receiver.lastFailureAt,
    likelyCause:
      receiver.failuresInRow === 0
        ? null
        : likelyCause({ errorKind: receiver.lastFailureKind, httpStatus: receiver.lastFailureStatus }),
    failuresInRow: receiver.failuresInRow,
    failingSince: receiver.failingSince,
    previousSecretExpiresAt: expires && expires > new Date() ? expires : null,
    createdAt: receiver.createdAt,
  };
}

/** The part of Prisma's client, or of its transaction, that reads endpoints. */
type Reader = Pick<Context["database"]["prisma"], "receiver">;

/**
 * Finds an endpoint that was not removed.
 * @throws OperationError ReceiverNotFound, also for another merchant's endpoint.
 */
export async function requireReceiver(
  { receiver }: Reader,
  { merchantId, mode }: ReceiverScope,
  id: string,
): Promise<ReceiverModel> {
  const found = isIssuedId(id)
    ? await receiver.findFirst({ where: { id, merchantId, mode, removedAt: null } })
    : null;
  if (!found) throw new OperationError(Refusal.ReceiverNotFound);
  return found;
}
