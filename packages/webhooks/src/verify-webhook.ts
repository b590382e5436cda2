import {
  matchesAny,
  replaySignature,
  simpleSignature,
  standardSignature,
  type WebhookKey,
} from "./signatures.js";

/** Accepted difference between the timestamp and the receiver's clock, in either direction. */
export const DEFAULT_TOLERANCE_SECONDS = 300;
/** A delivery with more signatures is rejected. A rotation creates far fewer. */
const MAXIMUM_SIGNATURES = 16;

const standardHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** Headers of Node's HTTP server, Express or `fetch`; names are case-insensitive. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyWebhookOptions = {
  headers: ReceivedHeaders;
  /** The body exactly as received, before any parsing. */
  body: string | Uint8Array;
  /** The keys to accept; one must match. */
  keys: readonly WebhookKey[];
  /** The receiver's time, in Unix seconds. */
  nowSeconds: number;
  toleranceSeconds?: number;
};

export type WebhookVerification =
  /** Genuine. Parse `body`, the signed text. */
  | { status: "ok"; id: string; timestampSeconds: number; body: string }
  | { status: "missing_header"; header: (typeof standardHeaders)[number] }
  /** Genuine, but too old (or, if negative, too far in the future): a replay attack or a wrong clock. */
  | { status: "stale"; ageSeconds: number }
  | { status: "bad_signature" };

/**
 * Verifies the Standard Webhooks headers of a delivery, in constant time. Call it before parsing, and respond with 401 unless the status is `ok`.
 * `X-Tillgate-Signature` is ignored, because it does not cover the timestamp and would allow replay attacks.
 */
export function verifyWebhook(options: VerifyWebhookOptions): WebhookVerification {
  const { headers, keys, nowSeconds, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = options;
  const header = standardHeaders.find((name) => getHeader(headers, name) === "");
  if (header !== undefined) return { status: "missing_header", header };
  const id = getHeader(headers, "webhook-id");
  const timestamp = getHeader(headers, "webhook-timestamp");
  const signature = getHeader(headers, "webhook-signature");

  const body = decodeText(options.body);
  const signatures = signature.split(" ").filter((candidate) => candidate.startsWith("v1,"));
  const wellFormed =
    /^[\w-]+$/.test(id) && /^(0|[1-9]\d{0,10})$/.test(timestamp) && signatures.length <= MAXIMUM_SIGNATURES;
  if (!wellFormed || body === undefined) return { status: "bad_signature" };

  const timestampSeconds = Number(timestamp);
  const expected = keys.map((key) => standardSignature(key, id, timestampSeconds, body));
  if (!matchesAny(signatures, expected)) return { status: "bad_signature" };

  const ageSeconds = nowSeconds - timestampSeconds;
  // Negated so that NaN is rejected.
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) return { status: "stale", ageSeconds };
  return { status: "ok", id, timestampSeconds, body };
}

export type VerifySimpleSignatureOptions = {
  /** The value of `X-Tillgate-Signature`. */
  signature: string;
  body: string | Uint8Array;
  keys: readonly WebhookKey[];
};

/**
 * Verifies `X-Tillgate-Signature`, in constant time. It proves the sender but not the time, so use `verifyWebhook` if your handler changes any data.
 */
export function verifySimpleSignature({ signature, body, keys }: VerifySimpleSignatureOptions): boolean {
  const text = decodeText(body);
  if (text === undefined) return false;
  return matchesAny(
    [signature],
    keys.map((key) => simpleSignature(key, text)),
  );
}

/**
 * Returns the ID of the replay that sent a delivery. The ID is signed separately. Otherwise, anyone could add the header to a recorded delivery
 * and have the event processed again. Call this only after `verifyWebhook` returned `ok`.
 * @returns undefined if the delivery was not sent by a replay, or if the replay's signature is missing or invalid.
 */
export function replayIdOf({
  headers,
  keys,
}: Pick<VerifyWebhookOptions, "headers" | "keys">): string | undefined {
  const id = getHeader(headers, "webhook-id");
  const timestampSeconds = Number(getHeader(headers, "webhook-timestamp"));
  const replayId = getHeader(headers, "x-tillgate-replay");
  const signatures = getHeader(headers, "x-tillgate-replay-signature").split(" ");
  if (signatures.length > MAXIMUM_SIGNATURES) return undefined;
  const expected = keys.map((key) => replaySignature(key, id, timestampSeconds, replayId));
  return matchesAny(signatures, expected) ? replayId : undefined;
}

/** Returns a header's value; an empty string if the header is missing. */
function getHeader(headers: ReceivedHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  // HTTP joins repeated headers into a list. Verification then fails.
  return values.join(", ");
}

/** Returns the body as text; undefined if it is not UTF-8, which Tillgate never sends. */
function decodeText(body: string | Uint8Array): string | undefined {
  if (typeof body === "string") return body;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
