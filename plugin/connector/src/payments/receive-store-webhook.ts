import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { askForLooks } from "./ask-for-looks.js";
import type { ConnectorContext } from "./context.js";

export type ReceivedStoreWebhook = {
  /** `X-WC-Webhook-Signature`; undefined where there is none. */
  signature: string | undefined;
  /** `X-WC-Webhook-Topic`. */
  topic: string | undefined;
  contentType: string | undefined;
  /** The body's bytes, untouched. */
  body: Uint8Array;
};

/** The outcome of a delivery of the store's own webhook. A failure is thrown. */
export type StoreWebhookOutcome =
  /** The unsigned ping of a new webhook. */
  | "ping"
  /** The order is to be looked at, and that is durable. */
  | "queued"
  /** Not an order of ours, or another topic. */
  | "ignored"
  /** The signature is missing or wrong, or there is no secret to check it with. */
  | "refused";

const MAX_PING_BYTES = 64;
const bodySchema = z.object({ id: z.int().positive() });

/**
 * Takes one delivery of the store's own webhook. Its body is not trusted: the present order is read from the store. The
 * store does not send again, so the look is durable before this returns.
 */
export async function receiveStoreWebhook(
  context: ConnectorContext,
  delivery: ReceivedStoreWebhook,
): Promise<StoreWebhookOutcome> {
  const { payments, settings } = context;
  if (isPing(delivery)) return "ping";
  if (settings.storeWebhookSecret === null || !isGenuine(delivery, settings.storeWebhookSecret))
    return "refused";
  if (!/^order\.(created|updated|deleted|restored)$/.test(delivery.topic ?? "")) return "ignored";
  const id = orderOf(delivery.body);
  if (id === null) return "ignored";
  const known = await payments.knownOrders([id]);
  if (known.length === 0) return "ignored";
  await askForLooks(context, known, 0);
  return "queued";
}

/** It changes nothing, so it needs no signature; WooCommerce sends none with it and wants a 200. */
function isPing({ contentType = "", body, signature }: ReceivedStoreWebhook): boolean {
  if (signature !== undefined || !contentType.startsWith("application/x-www-form-urlencoded")) return false;
  return body.byteLength <= MAX_PING_BYTES && /^webhook_id=\d+$/.test(Buffer.from(body).toString("latin1"));
}

/** Base64 of the HMAC-SHA256 of the body's bytes, compared in constant time. */
function isGenuine({ signature = "", body }: ReceivedStoreWebhook, secret: string): boolean {
  const expected = createHmac("sha256", secret).update(body).digest();
  const received = Buffer.from(signature, "base64");
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function orderOf(body: Uint8Array): number | null {
  try {
    return bodySchema.parse(JSON.parse(Buffer.from(body).toString("utf8"))).id;
  } catch {
    // Genuine, but without an order to look at: another topic's shape.
    return null;
  }
}
