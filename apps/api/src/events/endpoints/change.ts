import { randomUUID } from "node:crypto";
import {
  type AuditAction,
  type ChangeReceiverRequest,
  type CreateReceiverRequest,
  ErrorCode,
  MAX_RECEIVERS,
  type Mode,
} from "@tillgate/contract";
import type { Prisma } from "@tillgate/database";
import {
  type AuditRecord,
  changeWithAudit,
  isDuplicate,
  recordChange,
  type Transaction,
} from "../../audit/change.js";
import type { Context } from "../../context.js";
import { invalidField, OperationError } from "../../errors.js";
import { ROTATION_OVERLAP_SECONDS } from "../../identity/credentials/manage.js";
import {
  BlockedAddressError,
  hostForLog,
  isAllowedAddress,
  isLocalName,
  parseEndpointUrl,
  resolveByNameServers,
  resolveBySystem,
} from "../outbox/address-guard.js";
import {
  createEndpointSecret,
  type EndpointChange,
  type EndpointView,
  requireEndpoint,
  viewEndpoint,
} from "./read.js";

/** Checks a URL. Accepts a host that does not resolve (yet), because each delivery checks it again. @throws OperationError InvalidFields. */
export async function checkAddress(
  { config }: Pick<Context, "config">,
  mode: Mode,
  address: string,
  field = "address",
): Promise<void> {
  const rejectAs = (reason: string): OperationError => invalidField(field, `cannot be used: ${reason}`);
  const privateAllowed = config.privateWebhookAddresses;
  let url: URL;
  try {
    url = parseEndpointUrl({ address, mode, privateAllowed });
  } catch (error) {
    if (error instanceof BlockedAddressError) throw rejectAs(error.message);
    throw error;
  }
  const resolve = privateAllowed ? resolveBySystem : resolveByNameServers();
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (!privateAllowed && isLocalName(host)) throw rejectAs("the host is not on the public internet");
  const addresses = await resolve(host).catch(() => []);
  if (!addresses.every((resolution) => isAllowedAddress(resolution.address, privateAllowed)))
    throw rejectAs("the host is not on the public internet");
}

/**
 * Creates an audit record. For an API call, the record includes the request ID and the mode; the database checks that the mode is the credential's.
 */
export const toEndpointAuditRecord = (
  { merchantId, mode, by }: EndpointChange,
  subject: string,
  action: AuditAction & `receiver.${string}`,
  details: AuditRecord["details"] = {},
): AuditRecord => ({
  administrator: by,
  merchantId,
  action,
  subject,
  details: "credentialId" in by ? { ...details, mode, request_id: by.requestId } : details,
});

const recordEndpointChange = (
  tx: Transaction,
  ...change: Parameters<typeof toEndpointAuditRecord>
): Promise<void> => recordChange(tx, toEndpointAuditRecord(...change));

/** Converts a violated unique constraint, which only the URL can cause, to ReceiverExists. */
async function rejectTakenAddress<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error)) throw new OperationError(ErrorCode.ReceiverExists);
    throw error;
  }
}

/** The secret is returned only when it is created. */
export type CreatedEndpoint = { endpoint: EndpointView; secret: string };

/** @throws OperationError InvalidFields for a URL that is not allowed, ReceiverExists, TooManyReceivers. */
export async function createEndpoint(
  context: Context,
  input: EndpointChange & CreateReceiverRequest,
): Promise<CreatedEndpoint> {
  const { merchantId, mode, address, events } = input;
  await checkAddress(context, mode, address);
  const id = randomUUID();
  const { secret, sealed } = createEndpointSecret(context.keyring, id);
  const endpoint = await rejectTakenAddress(() =>
    changeWithAudit(context, input, async (tx) => {
      // Serializes the merchant's calls, so that concurrent calls cannot exceed the endpoint limit.
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`endpoints of ${mode} ${merchantId}`}, 0))::text`;
      const count = await tx.receiver.count({ where: { merchantId, mode, removedAt: null } });
      if (count >= MAX_RECEIVERS) throw new OperationError(ErrorCode.TooManyReceivers);
      const created = await tx.receiver.create({
        data: {
          id,
          merchantId,
          mode,
          address,
          events,
          secretCiphertext: sealed.ciphertext,
          encryptionKeyId: sealed.keyId,
        },
      });
      await recordEndpointChange(tx, input, id, "receiver.create", {
        mode,
        host: hostForLog(address),
        events: events.join(","),
      });
      return created;
    }),
  );
  return { endpoint: viewEndpoint(endpoint), secret };
}

type ChangedEndpoint = { endpoint: EndpointView; changed: boolean };

/**
 * Changes an endpoint's URL or events. If the URL changes, pending deliveries go to the new URL, which counts as unverified.
 * @throws OperationError ReceiverNotFound, InvalidFields, ReceiverExists.
 */
export async function changeEndpoint(
  context: Context,
  input: EndpointChange & { receiverId: string } & ChangeReceiverRequest,
): Promise<ChangedEndpoint> {
  const { merchantId, mode, receiverId, address, events } = input;
  const { prisma } = context.database;
  const before = await requireEndpoint(prisma, input, receiverId);
  if (address !== undefined && address !== before.address) await checkAddress(context, mode, address);
  return rejectTakenAddress(() =>
    changeWithAudit(context, input, async (tx) => {
      const updated = await tx.receiver.updateMany({
        where: {
          id: receiverId,
          merchantId,
          mode,
          removedAt: null,
          OR: [
            ...(address === undefined ? [] : [{ address: { not: address } }]),
            ...(events === undefined ? [] : [{ NOT: { events: { equals: events } } }]),
          ],
        },
        data: {
          ...(address === undefined ? {} : { address }),
          ...(address === undefined || address === before.address ? {} : { verifiedAt: null }),
          ...(events === undefined ? {} : { events }),
        },
      });
      const endpoint = await requireEndpoint(tx, input, receiverId);
      if (updated.count === 1)
        await recordEndpointChange(tx, input, receiverId, "receiver.change", {
          host_before: hostForLog(before.address),
          host_after: hostForLog(endpoint.address),
          events_before: before.events.join(","),
          events_after: endpoint.events.join(","),
        });
      return { endpoint: viewEndpoint(endpoint), changed: updated.count === 1 };
    }),
  );
}

export const ENDPOINT_STEPS = ["pause", "resume", "enable", "remove"] as const;
export type EndpointStep = (typeof ENDPOINT_STEPS)[number];

type Step = {
  from: Prisma.ReceiverWhereInput;
  to: () => Prisma.ReceiverUpdateManyMutationInput;
  timelineKind: string;
};

const STEPS: Record<EndpointStep, Step> = {
  pause: { from: { pausedAt: null }, to: () => ({ pausedAt: new Date() }), timelineKind: "receiver.paused" },
  resume: {
    from: { pausedAt: { not: null } },
    to: () => ({ pausedAt: null }),
    timelineKind: "receiver.resumed",
  },
  enable: {
    from: { disabledAt: { not: null } },
    to: () => ({ disabledAt: null, disabledReason: null }),
    timelineKind: "receiver.enabled",
  },
  remove: { from: {}, to: () => ({ removedAt: new Date() }), timelineKind: "receiver.removed" },
};

/**
 * Pauses, resumes, enables or removes an endpoint. Enabling it does not resend abandoned deliveries.
 * @throws OperationError ReceiverNotFound, including for a removed endpoint.
 */
export async function setEndpointState(
  context: Context,
  input: EndpointChange & { receiverId: string; step: EndpointStep },
): Promise<ChangedEndpoint> {
  const { merchantId, mode, receiverId: id, step } = input;
  const { from, to, timelineKind } = STEPS[step];
  await requireEndpoint(context.database.prisma, input, id);
  const result = await changeWithAudit(context, input, async (tx) => {
    const { count } = await tx.receiver.updateMany({
      where: { ...from, id, merchantId, mode, removedAt: null },
      data: to(),
    });
    // requireEndpoint would not find a removed endpoint.
    const endpoint = await tx.receiver.findUniqueOrThrow({ where: { id } });
    if (count === 1) {
      const host = hostForLog(endpoint.address);
      await tx.timelineEntry.create({
        data: { merchantId, mode, kind: timelineKind, receiverId: id, details: { host } },
      });
      await recordEndpointChange(tx, input, id, `receiver.${step}`, { host });
    }
    return { endpoint: viewEndpoint(endpoint), changed: count === 1 };
  });
  // Pending deliveries are updated immediately instead of at the next poll.
  if (result.changed && !input.dryRun) context.changes.notify(id);
  return result;
}

/**
 * Rotates an endpoint's secret. Until the previous secret expires, deliveries are signed with both secrets.
 * @throws OperationError ReceiverNotFound; ReceiverRotationUnderWay while an earlier rotation's previous secret is valid.
 */
export async function rotateEndpointSecret(
  context: Context,
  input: EndpointChange & { receiverId: string },
): Promise<CreatedEndpoint> {
  const { merchantId, mode, receiverId: id } = input;
  await requireEndpoint(context.database.prisma, input, id);
  const { secret, sealed } = createEndpointSecret(context.keyring, id);
  return changeWithAudit(context, input, async (tx) => {
    // Only one of two concurrent rotations updates the row; the other finds an overlap.
    const rotated = await tx.$executeRaw`
      UPDATE receivers SET
        previous_secret_ciphertext = secret_ciphertext, previous_encryption_key_id = encryption_key_id,
        previous_secret_expires_at = clock_timestamp() + ${ROTATION_OVERLAP_SECONDS}::int * interval '1 second',
        secret_ciphertext = ${sealed.ciphertext}, encryption_key_id = ${sealed.keyId}
      WHERE id = ${id}::uuid AND merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND removed_at IS NULL
        AND (previous_secret_expires_at IS NULL OR previous_secret_expires_at <= clock_timestamp())`;
    const endpoint = await requireEndpoint(tx, input, id);
    if (rotated !== 1) throw new OperationError(ErrorCode.ReceiverRotationUnderWay);
    await recordEndpointChange(tx, input, id, "receiver.rotate_secret", {
      old_secret_expires_at: endpoint.previousSecretExpiresAt?.toISOString() ?? null,
    });
    return { endpoint: viewEndpoint(endpoint), secret };
  });
}
