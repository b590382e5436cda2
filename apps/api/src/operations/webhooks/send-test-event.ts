import { randomUUID } from "node:crypto";
import { type Mode, type WebhookTest, webhookTestErrorSchema } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { guardedConnector } from "../../outbox/address-guard.js";
import { deliveryHeaders } from "../../outbox/delivery-headers.js";
import { sendAttempt } from "../../outbox/send-attempt.js";
import type { SigningKeys } from "../../outbox/signing-keys.js";
import { readClock } from "../../readers/database-clock.js";
import { TEST_EVENT, testEventBody } from "./test-event.js";

/** Sends one `tillgate.test` event through the address guard of every delivery. It is sent once and not stored. */
export async function sendTestEvent(
  { config, database: { pool } }: Context,
  { address, mode, keys }: { address: string; mode: Mode; keys: SigningKeys },
): Promise<WebhookTest> {
  const { privateWebhookAddresses: privateAllowed, deliveryTimeoutMs: timeoutMs } = config;
  // Signed by the database's clock, like every delivery: a receiver refuses a signature that is minutes off.
  const now = await readClock(pool);
  const id = `evt_${randomUUID().replaceAll("-", "")}`;
  const body = testEventBody(id, now);
  const timestampSeconds = Math.floor(now.getTime() / 1_000);
  const outcome = await sendAttempt({
    address,
    mode,
    headers: deliveryHeaders({ id, event: TEST_EVENT, timestampSeconds, body, ...keys }),
    body,
    connector: guardedConnector({ privateAllowed, timeoutMs }),
    privateAllowed,
    timeoutMs,
  });
  if (!outcome) throw new Error("an attempt that nobody can abandon was abandoned");
  const { errorKind, httpStatus, latencyMs } = outcome;
  // The name that this endpoint's response has had from the first.
  const failure = errorKind === "html_response" ? "html_answer" : errorKind;
  return {
    delivered: errorKind === null,
    http_status: httpStatus,
    latency_ms: latencyMs,
    error: failure === null ? null : webhookTestErrorSchema.parse(failure),
  };
}
