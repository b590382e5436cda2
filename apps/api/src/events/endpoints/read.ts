import { randomBytes } from "node:crypto";
import { ErrorCode, type EventName, isEventName, type Mode } from "@tillgate/contract";
import { type Keyring, type ReceiverModel, type Sealed, seal } from "@tillgate/database";
import type { ApiCall, Manager } from "../../audit/administrator.js";
import type { Context } from "../../context.js";
import { notFound, OperationError } from "../../errors.js";
import { isIssuedId } from "../../platform/ids.js";
import { findLikelyCause } from "../outbox/likely-cause.js";
import { type SigningKeys, unsealSigningKeys } from "../outbox/signing-keys.js";

export type EndpointScope = { merchantId: string; mode: Mode };

export type EndpointChange = EndpointScope & {
  by: Manager | ApiCall;
  /** Whether to check the change and return its result without writing anything. */
  dryRun?: boolean | undefined;
};

export type EndpointView = {
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
  /** Likely cause of the latest failure, as text for the merchant. Null if the endpoint is not failing. */
  likelyCause: string | null;
  failuresInRow: number;
  failingSince: Date | null;
  previousSecretExpiresAt: Date | null;
  createdAt: Date;
};

export function viewEndpoint(endpoint: ReceiverModel): EndpointView {
  const { disabledAt, pausedAt, previousSecretExpiresAt: expires } = endpoint;
  return {
    id: endpoint.id,
    mode: endpoint.mode,
    address: endpoint.address,
    events: endpoint.events.filter(isEventName),
    state: disabledAt ? "disabled" : pausedAt ? "paused" : "active",
    disabledReason: endpoint.disabledReason,
    disabledAt,
    verifiedAt: endpoint.verifiedAt,
    lastSuccessAt: endpoint.lastSuccessAt,
    lastFailureAt: endpoint.lastFailureAt,
    likelyCause:
      endpoint.failuresInRow === 0
        ? null
        : findLikelyCause({ errorKind: endpoint.lastFailureKind, httpStatus: endpoint.lastFailureStatus }),
    failuresInRow: endpoint.failuresInRow,
    failingSince: endpoint.failingSince,
    previousSecretExpiresAt: expires && expires > new Date() ? expires : null,
    createdAt: endpoint.createdAt,
  };
}

type Reader = Pick<Context["database"]["prisma"], "receiver">;

/** @throws OperationError ReceiverNotFound, including for another merchant's endpoint or a removed endpoint. */
export async function requireEndpoint(
  { receiver: delegate }: Reader,
  { merchantId, mode }: EndpointScope,
  id: string,
): Promise<ReceiverModel> {
  const endpoint = isIssuedId(id)
    ? await delegate.findFirst({ where: { id, merchantId, mode, removedAt: null } })
    : null;
  if (!endpoint) throw new OperationError(ErrorCode.ReceiverNotFound);
  return endpoint;
}

/** Decrypts the endpoint's signing keys: two during a rotation, otherwise one. */
export function unsealEndpointKeys(endpoint: ReceiverModel, keyring: Keyring): SigningKeys {
  const { previousSecretExpiresAt: expires } = endpoint;
  const previous = expires !== null && expires > new Date();
  const keys = unsealSigningKeys(
    {
      receiverId: endpoint.id,
      receiverCiphertext: endpoint.secretCiphertext,
      receiverKeyId: endpoint.encryptionKeyId,
      previousCiphertext: previous ? endpoint.previousSecretCiphertext : null,
      previousKeyId: previous ? endpoint.previousEncryptionKeyId : null,
      clientSecrets: null,
    },
    keyring,
  );
  if (!keys) throw new Error(`endpoint ${endpoint.id} has no stored secret`);
  return keys;
}

const SECRET_BYTES = 32;

/** Creates a secret in Standard Webhooks format. @returns the secret in plain text, and encrypted for storage. */
export function createEndpointSecret(
  keyring: Keyring,
  receiverId: string,
): { secret: string; sealed: Sealed } {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  return { secret, sealed: seal(keyring, receiverId, secret) };
}

export async function listEndpoints(
  { database: { prisma } }: Context,
  { merchantId, mode }: EndpointScope,
): Promise<EndpointView[]> {
  const receivers = await prisma.receiver.findMany({
    where: { merchantId, mode, removedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return receivers.map(viewEndpoint);
}

/** @throws OperationError ReceiverNotFound. */
export const getEndpoint = async (
  { database: { prisma } }: Context,
  scope: EndpointScope,
  id: string,
): Promise<EndpointView> => viewEndpoint(await requireEndpoint(prisma, scope, id));

/** Finds the merchant and mode of an endpoint, for administrators, who know only its ID. @throws OperationError SubjectNotFound. */
export async function findEndpointScope(
  { database: { prisma } }: Context,
  id: string,
): Promise<EndpointScope & { receiverId: string }> {
  const endpoint = isIssuedId(id)
    ? await prisma.receiver.findFirst({
        where: { id, removedAt: null },
        select: { merchantId: true, mode: true },
      })
    : null;
  if (!endpoint) throw notFound(`endpoint ${id}`);
  return { ...endpoint, receiverId: id };
}

/** @throws OperationError SubjectNotFound. */
export async function findDeliveryScope(
  { database: { prisma } }: Context,
  id: string,
): Promise<EndpointScope & { deliveryId: string }> {
  const delivery = isIssuedId(id)
    ? await prisma.delivery.findUnique({
        where: { id },
        select: { event: { select: { merchantId: true, mode: true } } },
      })
    : null;
  if (!delivery) throw notFound(`delivery ${id}`);
  return { ...delivery.event, deliveryId: id };
}
