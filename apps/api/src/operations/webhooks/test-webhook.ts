import { randomUUID } from "node:crypto";
import { type WebhookTest, webhookTestErrorSchema } from "@tillgate/contract";
import { signWebhook } from "@tillgate/webhooks";
import type { Context } from "../../context.js";
import { guardedConnector } from "../../outbox/address-guard.js";
import { sendAttempt } from "../../outbox/send-attempt.js";
import { signingKeys } from "../../outbox/signing-keys.js";
import type { Client } from "../authenticate-client.js";
import { OperationError, Refusal } from "../errors.js";
import { clientSecretsOf } from "./client-secrets.js";
import { isWebPage } from "./is-web-page.js";
import { TEST_EVENT, testEventBody } from "./test-event.js";

const USER_AGENT = "Tillgate-Webhooks/1";

/**
 * Sends one `tillgate.test` event to an address, signed with the live secrets of the calling client and through the same
 * address guard as an order's events. It is sent once and stored nowhere.
 * @throws OperationError InvalidCredentials when the client was revoked meanwhile.
 */
export async function testWebhook(
  context: Context,
  client: Client,
  { callback_url: address }: { callback_url: string },
): Promise<WebhookTest> {
  const { privateWebhookAddresses: privateAllowed, deliveryTimeoutMs: timeoutMs } = context.config;
  const keys = signingKeys(await clientSecretsOf(context, client), context.keyring);
  if (!keys) throw new OperationError(Refusal.InvalidCredentials);
  const now = new Date();
  const id = `evt_${randomUUID().replaceAll("-", "")}`;
  const body = testEventBody(id, now);
  const timestampSeconds = Math.floor(now.getTime() / 1_000);
  const outcome = await sendAttempt({
    address,
    mode: client.mode,
    headers: {
      "content-type": "application/json",
      "user-agent": USER_AGENT,
      ...signWebhook({ id, event: TEST_EVENT, timestampSeconds, body, ...keys }),
    },
    body,
    connector: guardedConnector({ privateAllowed, timeoutMs }),
    privateAllowed,
    timeoutMs,
  });
  if (!outcome) throw new Error("an attempt that nobody can abandon was abandoned");
  const { errorKind, httpStatus, latencyMs, answerStart } = outcome;
  const failure = errorKind ?? (isWebPage(answerStart) ? "html_answer" : null);
  return {
    delivered: errorKind === null,
    http_status: httpStatus,
    latency_ms: latencyMs,
    error: failure === null ? null : webhookTestErrorSchema.parse(failure),
  };
}
