import { Refusal, type WebhookTest } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";
import { signingKeys } from "../../outbox/signing-keys.js";
import { clientSecretsOf } from "./client-secrets.js";
import { sendTestEvent } from "./send-test-event.js";

/**
 * Sends a test event to an address in the way of an order's events, signed with the calling client's live secrets.
 * @throws OperationError InvalidCredentials when the client was revoked meanwhile.
 */
export async function testWebhook(
  context: Context,
  client: Client,
  { callback_url: address }: { callback_url: string },
): Promise<WebhookTest> {
  const keys = signingKeys(await clientSecretsOf(context, client), context.keyring);
  if (!keys) throw new OperationError(Refusal.InvalidCredentials);
  return sendTestEvent(context, { address, mode: client.mode, keys });
}
