import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";

const WHSEC_PREFIX = "whsec_";
/** Standard Webhooks allows these key lengths. */
const MINIMUM_WHSEC_BYTES = 24;
const MAXIMUM_WHSEC_BYTES = 64;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Thrown for an invalid secret. The message never contains the secret. */
export class WebhookKeyError extends Error {
  override readonly name = "WebhookKeyError";
}

/** An HMAC key, created from a secret by `rawKey` or `parseWhsecKey`. */
export class WebhookKey {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    if (bytes.length === 0) throw new WebhookKeyError("The webhook secret is empty.");
    this.#bytes = Uint8Array.from(bytes);
  }

  /** Returns a copy of the key. The key is not a property, so that logs and JSON do not reveal it. */
  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/**
 * Returns the key for an order's `callback_url`: the UTF-8 bytes of the client secret, as in `new Webhook(secret, { format: "raw" })` with the
 * Standard Webhooks library.
 * @throws WebhookKeyError for an empty secret.
 */
export function rawKey(clientSecret: string): WebhookKey {
  return new WebhookKey(Buffer.from(clientSecret));
}

/** Decodes an endpoint's secret. @throws WebhookKeyError unless the secret is `whsec_` followed by 24 to 64 base64-encoded bytes. */
export function parseWhsecKey(secret: string): WebhookKey {
  const encoded = secret.slice(WHSEC_PREFIX.length);
  const bytes = Buffer.from(encoded, "base64");
  const wellFormed = secret.startsWith(WHSEC_PREFIX) && base64.test(encoded);
  if (!wellFormed || bytes.length < MINIMUM_WHSEC_BYTES || bytes.length > MAXIMUM_WHSEC_BYTES) {
    throw new WebhookKeyError(
      `A webhook secret must be "${WHSEC_PREFIX}" followed by ${MINIMUM_WHSEC_BYTES} to ${MAXIMUM_WHSEC_BYTES} base64-encoded bytes.`,
    );
  }
  return new WebhookKey(bytes);
}

/** @returns `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` (Standard Webhooks). */
export function standardSignature(
  key: WebhookKey,
  id: string,
  timestampSeconds: number,
  body: string,
): string {
  const webhook = new Webhook(key.bytes(), { format: "raw" });
  return webhook.sign(id, new Date(timestampSeconds * 1000), body);
}

/**
 * Returns the {@link standardSignature} of `replay.` and the replay's ID, a text that is never a webhook's body. It is valid only with one webhook's
 * ID and timestamp.
 */
export const replaySignature = (
  key: WebhookKey,
  id: string,
  timestampSeconds: number,
  replayId: string,
): string => standardSignature(key, id, timestampSeconds, `replay.${replayId}`);

/** @returns `sha256=` and the hex HMAC-SHA256 of the body. */
export function simpleSignature(key: WebhookKey, body: string): string {
  return `sha256=${createHmac("sha256", key.bytes()).update(body).digest("hex")}`;
}

/** Returns whether any received string equals any expected string. Strings of equal length are compared in constant time. */
export function matchesAny(received: readonly string[], expected: readonly string[]): boolean {
  let equal = false;
  for (const candidate of received) {
    for (const other of expected) {
      const [a, b] = [Buffer.from(candidate), Buffer.from(other)];
      if (a.length === b.length && timingSafeEqual(a, b)) equal = true;
    }
  }
  return equal;
}
