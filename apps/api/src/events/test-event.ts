import { randomUUID } from "node:crypto";
import {
  ErrorCode,
  type Mode,
  type TestEvent,
  type WebhookTest,
  webhookTestErrorSchema,
} from "@tillgate/contract";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import type { Client } from "../identity/credentials/authenticate.js";
import { readClock } from "../platform/database-clock.js";
import { type EndpointScope, requireEndpoint, unsealEndpointKeys } from "./endpoints/read.js";
import { createGuardedConnector } from "./outbox/address-guard.js";
import { createDeliveryHeaders, parseRedirectTarget, sendAttempt } from "./outbox/send-attempt.js";
import { type SigningKeys, unsealSigningKeys } from "./outbox/signing-keys.js";

const TEST_EVENT = "tillgate.test";

/** Sends a test event once, through the same SSRF guard as deliveries, without storing it. */
async function sendTestEvent(
  { config, database: { pool } }: Context,
  { address, mode, keys }: { address: string; mode: Mode; keys: SigningKeys },
): Promise<WebhookTest> {
  const { privateWebhookAddresses: privateAllowed, deliveryTimeoutMs: timeoutMs } = config;
  // Signed with the database's time, like every delivery, because receivers reject a signature whose time is minutes off.
  const now = await readClock(pool);
  const id = `evt_${randomUUID().replaceAll("-", "")}`;
  const body = createTestEventBody(id, now);
  const timestampSeconds = Math.floor(now.getTime() / 1_000);
  const outcome = await sendAttempt({
    address,
    mode,
    headers: createDeliveryHeaders({ id, event: TEST_EVENT, timestampSeconds, body, ...keys }),
    body,
    connector: createGuardedConnector({ privateAllowed, timeoutMs }),
    privateAllowed,
    timeoutMs,
  });
  if (!outcome) throw new Error("the attempt to send a test event was aborted");
  const { answerStart, errorKind, httpStatus, latencyMs } = outcome;
  // The wire name that this endpoint has always used.
  const failure = errorKind === "html_response" ? "html_answer" : errorKind;
  return {
    delivered: errorKind === null,
    http_status: httpStatus,
    latency_ms: latencyMs,
    error: failure === null ? null : webhookTestErrorSchema.parse(failure),
    location: errorKind === "redirect" ? parseRedirectTarget(answerStart) : null,
  };
}

/** Tests an endpoint. Its health does not change, but a successful test verifies its URL. @throws OperationError ReceiverNotFound. */
export async function testEndpoint(
  context: Context,
  scope: EndpointScope,
  receiverId: string,
): Promise<WebhookTest> {
  const endpoint = await requireEndpoint(context.database.prisma, scope, receiverId);
  const keys = unsealEndpointKeys(endpoint, context.keyring);
  const { address, mode } = endpoint;
  const test = await sendTestEvent(context, { address, mode, keys });
  // Only the tested URL is verified: the endpoint's URL may have changed during the test.
  if (test.delivered && endpoint.verifiedAt === null)
    await context.database.prisma.receiver.updateMany({
      where: { id: receiverId, address, verifiedAt: null },
      data: { verifiedAt: new Date() },
    });
  return test;
}

type Signer = Parameters<typeof unsealSigningKeys>[0];

const NO_RECEIVER = {
  receiverId: null,
  receiverCiphertext: null,
  receiverKeyId: null,
  previousCiphertext: null,
  previousKeyId: null,
} as const satisfies Omit<Signer, "clientSecrets">;

/** Returns the client's active secrets, oldest first: two during a rotation. */
async function findClientSecrets(
  { database: { prisma } }: Context,
  { credentialId, merchantId, mode }: Client,
): Promise<Signer> {
  const { clientId } = await prisma.credential.findUniqueOrThrow({
    where: { id: credentialId },
    select: { clientId: true },
  });
  const live = await prisma.credential.findMany({
    where: {
      merchantId,
      mode,
      clientId,
      kind: "client",
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const clientSecrets = live.flatMap(({ id, secretCiphertext, encryptionKeyId, expiresAt, lastUsedAt }) =>
    secretCiphertext === null || encryptionKeyId === null
      ? []
      : {
          credentialId: id,
          ciphertext: secretCiphertext,
          keyId: encryptionKeyId,
          ends: expiresAt !== null,
          used: lastUsedAt !== null,
        },
  );
  return { ...NO_RECEIVER, clientSecrets };
}

/**
 * Sends a test event to a callback_url, signed with the calling client's active secrets.
 * @throws OperationError InvalidCredentials if the client was revoked during the call.
 */
export async function testAddress(
  context: Context,
  client: Client,
  { callback_url: address }: { callback_url: string },
): Promise<WebhookTest> {
  const keys = unsealSigningKeys(await findClientSecrets(context, client), context.keyring);
  if (!keys) throw new OperationError(ErrorCode.InvalidCredentials);
  return sendTestEvent(context, { address, mode: client.mode, keys });
}

function createTestEventBody(id: string, now: Date): string {
  const event: TestEvent = {
    id,
    event: TEST_EVENT,
    timestamp: `${now.toISOString().slice(0, 19)}+00:00`,
    data: { message: "Tillgate test event. Verify it, respond with 2xx and change nothing." },
  };
  return JSON.stringify(event);
}
