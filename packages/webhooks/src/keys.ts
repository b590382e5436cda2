const WHSEC_PREFIX = "whsec_";
/** The key lengths that Standard Webhooks allows. */
const MINIMUM_WHSEC_BYTES = 24;
const MAXIMUM_WHSEC_BYTES = 64;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Thrown for a secret that is no key. The message never holds the secret. */
export class WebhookKeyError extends Error {
  override readonly name = "WebhookKeyError";
}

/** The bytes that sign; made from a secret by `rawKey` or `whsecKey`. */
export class WebhookKey {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    if (bytes.length === 0) throw new WebhookKeyError("The webhook secret is empty.");
    this.#bytes = Uint8Array.from(bytes);
  }

  /** A copy of the key. Kept out of properties, so that no log or JSON shows it. */
  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/**
 * The key of an order's `callback_url`: the UTF-8 bytes of the client secret, as `new Webhook(secret, { format:
 * "raw" })` takes it in the public library.
 * @throws WebhookKeyError for an empty secret.
 */
export function rawKey(clientSecret: string): WebhookKey {
  return new WebhookKey(Buffer.from(clientSecret, "utf8"));
}

/**
 * The key of a dashboard endpoint: the base64 part of `whsec_…`.
 * @throws WebhookKeyError when the text is not `whsec_` and the base64 of 24 to 64 bytes.
 */
export function whsecKey(secret: string): WebhookKey {
  const encoded = secret.slice(WHSEC_PREFIX.length);
  const bytes = Buffer.from(encoded, "base64");
  const wellFormed = secret.startsWith(WHSEC_PREFIX) && base64.test(encoded);
  if (!wellFormed || bytes.length < MINIMUM_WHSEC_BYTES || bytes.length > MAXIMUM_WHSEC_BYTES) {
    throw new WebhookKeyError(
      `A webhook secret is "${WHSEC_PREFIX}" and the base64 of ${MINIMUM_WHSEC_BYTES} to ${MAXIMUM_WHSEC_BYTES} bytes.`,
    );
  }
  return new WebhookKey(bytes);
}
