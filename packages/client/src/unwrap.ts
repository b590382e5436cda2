import type { WebhookEvent } from "@tillgate/contract";
import {
  DEFAULT_TOLERANCE_SECONDS,
  parseWebhookEvent,
  parseWhsecKey,
  type ReceivedHeaders,
  rawKey,
  replayIdOf,
  verifyWebhook,
  WebhookEventError,
} from "@tillgate/webhooks";

export type ReceivedWebhook = {
  /** As received by the HTTP server; names are case-insensitive. */
  headers: ReceivedHeaders;
  /** Exactly as received, before any parsing. */
  body: string | Uint8Array;
};

export type UnwrapOptions = {
  /** Endpoints' `whsec_…` secrets or client secrets. Default: the client's own secret, which signs webhooks to an order's `callback_url`. */
  secrets?: readonly string[];
  /** Maximum difference between the webhook's timestamp and `nowSeconds`, in either direction. Default 300. */
  toleranceSeconds?: number;
  /** The current time in Unix seconds. Default: this machine's clock. */
  nowSeconds?: number;
};

export type WebhookFailure =
  | "missing_header"
  | "bad_signature"
  | "stale"
  /** Genuine, but an event of a later version. */
  | "unknown_event"
  /** Genuine, but its body is not a valid event. */
  | "unreadable";

const STATUS: Record<WebhookFailure, 401 | 200 | 500> = {
  missing_header: 401,
  bad_signature: 401,
  stale: 401,
  unknown_event: 200,
  unreadable: 500,
};

/** Thrown for a webhook that is not accepted. The message never contains a secret. */
export class TillgateWebhookError extends Error {
  override readonly name = "TillgateWebhookError";
  /** The HTTP status to respond with. */
  readonly status: 401 | 200 | 500;

  constructor(
    readonly reason: WebhookFailure,
    text: string,
    options?: ErrorOptions,
  ) {
    super(text, options);
    this.status = STATUS[reason];
  }
}

/**
 * Verifies a received webhook and returns its event.
 * @throws TillgateWebhookError if a header is missing, the signature or timestamp is not valid, or the event is unknown or unreadable; respond with
 * the error's `status`
 * @throws WebhookKeyError for an invalid secret
 */
export function unwrapWebhook(
  { headers, body }: ReceivedWebhook,
  {
    secrets,
    toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
    nowSeconds = Math.floor(Date.now() / 1_000),
  }: UnwrapOptions & { secrets: readonly string[] },
): WebhookEvent {
  const verified = verifyWebhook({ headers, body, keys: toKeys(secrets), nowSeconds, toleranceSeconds });
  switch (verified.status) {
    case "ok":
      return parseEvent(verified.body);
    case "missing_header":
      throw new TillgateWebhookError("missing_header", `The header ${verified.header} is missing.`);
    case "bad_signature":
      throw new TillgateWebhookError("bad_signature", "The signature matches none of the secrets.");
    case "stale":
      throw new TillgateWebhookError(
        "stale",
        `The webhook's timestamp is ${Math.abs(verified.ageSeconds)} s ${verified.ageSeconds > 0 ? "behind" : "ahead of"} the local clock; at most ${toleranceSeconds} s are allowed.`,
      );
  }
}

function parseEvent(body: string): WebhookEvent {
  try {
    return parseWebhookEvent(body);
  } catch (cause) {
    if (!(cause instanceof WebhookEventError)) throw cause;
    const text = [cause.message, ...cause.problems].join(" ");
    throw new TillgateWebhookError(cause.isUnknownEvent ? "unknown_event" : "unreadable", text, { cause });
  }
}

const toKeys = (secrets: readonly string[]) =>
  secrets.map((secret) => (secret.startsWith("whsec_") ? parseWhsecKey(secret) : rawKey(secret)));

/**
 * Returns the ID of the replay that sent a webhook, after verifying the signature of the ID. Call this only for a webhook that {@link unwrapWebhook}
 * accepted.
 * @returns undefined if the webhook was not sent by a replay, or if the replay's signature is missing or invalid
 * @throws WebhookKeyError for an invalid secret
 */
export const replayOfWebhook = (
  { headers }: Pick<ReceivedWebhook, "headers">,
  { secrets }: { secrets: readonly string[] },
): string | undefined => replayIdOf({ headers, keys: toKeys(secrets) });
