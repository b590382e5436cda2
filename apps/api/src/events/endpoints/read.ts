import { randomBytes } from "node:crypto";
import { ErrorCode, type EventName, isEventName, type Mode } from "@tillgate/contract";
import { type Keyring, type ReceiverModel, type Sealed, seal } from "@tillgate/database";
import type { ApiCall, Manager } from "../../audit/administrator.js";
import type { Context } from "../../context.js";
import { notFound, OperationError } from "../../errors.js";
import { isIssuedId } from "../../platform/ids.js";
import { likelyCause } from "../outbox/likely-cause.js";
import { type SigningKeys, signingKeys } from "../outbox/signing-keys.js";

/** The owner of endpoints: queries never match another merchant or mode. */
export type ReceiverScope = { merchantId: string; mode: Mode };

/** Input of every change of an endpoint. */
export type ReceiverChange = ReceiverScope & {
  by: Manager | ApiCall;
  /** Run everything and return the result, but write nothing. */
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
  /** Text for the merchant; null if the last attempt succeeded, or there was none. */
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

/** Finds an endpoint that is not removed. @throws OperationError ReceiverNotFound, also for another merchant's. */
export async function requireReceiver(
  { receiver }: Reader,
  { merchantId, mode }: ReceiverScope,
  id: string,
): Promise<ReceiverModel> {
  const found = isIssuedId(id)
    ? await receiver.findFirst({ where: { id, merchantId, mode, removedAt: null } })
    : null;
  if (!found) throw new OperationError(ErrorCode.ReceiverNotFound);
  return found;
}

/** The keys that currently sign an endpoint's deliveries: two during a rotation. */
export function receiverKeys(receiver: ReceiverModel, keyring: Keyring): SigningKeys {
  const { previousSecretExpiresAt: expires } = receiver;
  const previous = expires !== null && expires > new Date();
  const keys = signingKeys(
    {
      receiverId: receiver.id,
      receiverCiphertext: receiver.secretCiphertext,
      receiverKeyId: receiver.encryptionKeyId,
      previousCiphertext: previous ? receiver.previousSecretCiphertext : null,
      previousKeyId: previous ? receiver.previousEncryptionKeyId : null,
      clientSecrets: null,
    },
    keyring,
  );
  if (!keys) throw new Error("an endpoint always has a secret");
  return keys;
}

const SECRET_BYTES = 32;

/** A new secret in Standard Webhooks format, and its encrypted form as stored. */
export function newReceiverSecret(keyring: Keyring, receiverId: string): { secret: string; sealed: Sealed } {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  return { secret, sealed: seal(keyring, receiverId, secret) };
}

/** A merchant's endpoints of one mode with their health, oldest first. Excludes removed ones. */
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

/** The merchant and mode of an endpoint, for administrators, who name an endpoint by its id alone. @throws OperationError NotFound. */
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

/** The merchant and mode of a delivery. @throws OperationError NotFound. */
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
