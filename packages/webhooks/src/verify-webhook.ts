import {
  anyEqual,
  replaySignature,
  simpleSignature,
  standardSignature,
  type WebhookKey,
} from "./signatures.js";

/** How far the sender's clock may be from the receiver's, both ways, by default. */
export const DEFAULT_TOLERANCE_SECONDS = 300;
/** More signatures than any rotation makes are not even looked at. */
const MAXIMUM_SIGNATURES = 16;

const standardHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** Headers as Node's HTTP server, Express or `fetch` give them; names in any case. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyWebhookOptions = {
  headers: ReceivedHeaders;
  /** The body exactly as received, before any parsing. */
  body: string | Uint8Array;
  /** Every key that may have signed; one is enough to match. */
  keys: readonly WebhookKey[];
  /** The receiver's time, in seconds since 1970. */
  nowSeconds: number;
  toleranceSeconds?: number;
};

export type WebhookVerification =
  /** Genuine. `body` is the text that was signed: parse this. */
  | { status: "ok"; id: string; timestampSeconds: number; body: string }
  | { status: "missing_header"; header: (typeof standardHeaders)[number] }
  /** Genuine but sent too long ago (or, when negative, too far in the future): a replay or a wrong clock. */
  | { status: "stale"; ageSeconds: number }
  | { status: "bad_signature" };

/**
 * Checks the Standard Webhooks headers of a delivery, in constant time. Call it before parsing; anything but `ok` is
 * answered 401. The simple header is not looked at: it carries no time, so it would let a delivery be replayed.
 */
export function verifyWebhook(options: VerifyWebhookOptions): WebhookVerification {
  const { headers, keys, nowSeconds, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = options;
  const [id, timestamp, signature] = standardHeaders.map((name) => headerOf(headers, name));
  if (!id) return { status: "missing_header", header: "webhook-id" };
  if (!timestamp) return { status: "missing_header", header: "webhook-timestamp" };
  if (!signature) return { status: "missing_header", header: "webhook-signature" };

  const body = textOf(options.body);
  const signatures = signature.split(" ").filter((one) => one.startsWith("v1,"));
  const wellFormed =
    /^[\w-]+$/.test(id) && /^(0|[1-9]\d{0,10})$/.test(timestamp) && signatures.length <= MAXIMUM_SIGNATURES;
  if (!wellFormed || body === undefined) return { status: "bad_signature" };

  const timestampSeconds = Number(timestamp);
  const expected = keys.map((key) => standardSignature(key, id, timestampSeconds, body));
  if (!anyEqual(signatures, expected)) return { status: "bad_signature" };

  const ageSeconds = nowSeconds - timestampSeconds;
  // Written so that a time that is not a number is refused.
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
 * Checks the simple header, in constant time. It proves who wrote the body but not when: a receiver that changes
 * anything checks `verifyWebhook` instead.
 */
export function verifySimpleSignature({ signature, body, keys }: VerifySimpleSignatureOptions): boolean {
  const text = textOf(body);
  if (text === undefined) return false;
  return anyEqual(
    [signature],
    keys.map((key) => simpleSignature(key, text)),
  );
}

/**
 * The replay that sends a delivery again. Its header counts only with its own signature, which binds it to this delivery: anybody
 * could add it to a delivery that was recorded, and have an event decided again. Ask only about a delivery that `verifyWebhook` found
 * genuine.
 * @returns undefined for an event that is sent for the first time or retried, and for a header that is not signed
 */
export function replayIdOf({
  headers,
  keys,
}: Pick<VerifyWebhookOptions, "headers" | "keys">): string | undefined {
  const [id, timestamp] = standardHeaders.map((name) => headerOf(headers, name));
  const replayId = headerOf(headers, "x-tillgate-replay");
  const signatures = headerOf(headers, "x-tillgate-replay-signature")?.split(" ") ?? [];
  if (!id || !timestamp || !replayId || signatures.length > MAXIMUM_SIGNATURES) return undefined;
  const expected = keys.map((key) => replaySignature(key, id, Number(timestamp), replayId));
  return anyEqual(signatures, expected) ? replayId : undefined;
}

function headerOf(headers: ReceivedHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  // A header sent twice is one list, as HTTP says; such an id or time then fails to verify.
  return values.length === 0 ? undefined : values.join(", ");
}

/** The body as text, or undefined when its bytes are not UTF-8 and so were never signed by us. */
function textOf(body: string | Uint8Array): string | undefined {
  if (typeof body === "string") return body;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
