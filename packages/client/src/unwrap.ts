import type { WebhookEvent } from "@tillgate/contract";
import {
  DEFAULT_TOLERANCE_SECONDS,
  parseWebhookEvent,
  type ReceivedHeaders,
  rawKey,
  replayIdOf,
  verifyWebhook,
  WebhookEventError,
  whsecKey,
} from "@tillgate/webhooks";

export type ReceivedWebhook = {
  /** As the HTTP server has them; names in any case. */
  headers: ReceivedHeaders;
  /** Exactly as received, before any parsing. */
  body: string | Uint8Array;
};

export type UnwrapOptions = {
  /**
   * Every secret that may have signed: an endpoint's `whsec_…`, or client secrets. By default the client's own, which signs what
   * goes to an order's `callback_url`.
   */
  secrets?: readonly string[];
  /** How far the sender's clock may be from `nowSeconds`, both ways: 300 s by default. */
  toleranceSeconds?: number;
  /** Your time, in seconds since 1970: by default the clock of this machine. */
  nowSeconds?: number;
};

/** Why a webhook is no event. */
export type WebhookFailure =
  | "missing_header"
  | "bad_signature"
  | "stale"
  /** Genuine, but of a name that a later version sends. */
  | "unknown_event"
  /** Genuine, but its body is no event. */
  | "unreadable";

const STATUS: Record<WebhookFailure, 401 | 200 | 500> = {
  missing_header: 401,
  bad_signature: 401,
  stale: 401,
  unknown_event: 200,
  unreadable: 500,
};

/** A received webhook that is no event to act on. No text of it holds a secret. */
export class TillgateWebhookError extends Error {
  override readonly name = "TillgateWebhookError";
  /** The HTTP status to answer it with. */
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
 * @throws TillgateWebhookError for one that is not genuine, is stale, or is no event; its `status` is what to answer.
 * @throws WebhookKeyError for a secret that can be no key
 */
export function unwrapWebhook(
  { headers, body }: ReceivedWebhook,
  {
    secrets,
    toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
    nowSeconds = Math.floor(Date.now() / 1_000),
  }: UnwrapOptions & { secrets: readonly string[] },
): WebhookEvent {
  const verified = verifyWebhook({ headers, body, keys: keysOf(secrets), nowSeconds, toleranceSeconds });
  switch (verified.status) {
    case "ok":
      return eventOf(verified.body);
    case "missing_header":
      throw new TillgateWebhookError("missing_header", `The header ${verified.header} is missing.`);
    case "bad_signature":
      throw new TillgateWebhookError("bad_signature", "The signature is of none of the secrets.");
    case "stale":
      throw new TillgateWebhookError(
        "stale",
        `The webhook is ${verified.ageSeconds} s from the clock here; ${toleranceSeconds} s are allowed.`,
      );
  }
}

function eventOf(body: string): WebhookEvent {
  try {
    return parseWebhookEvent(body);
  } catch (cause) {
    if (!(cause instanceof WebhookEventError)) throw cause;
    const text = [cause.message, ...cause.problems].join(" ");
    throw new TillgateWebhookError(cause.isUnknownEvent ? "unknown_event" : "unreadable", text, { cause });
  }
}

const keysOf = (secrets: readonly string[]) =>
  secrets.map((secret) => (secret.startsWith("whsec_") ? whsecKey(secret) : rawKey(secret)));

/** The replay that sends a webhook again, by its own signature. Ask only about a webhook that was unwrapped. */
export const replayOfWebhook = (
  { headers }: Pick<ReceivedWebhook, "headers">,
  { secrets }: { secrets: readonly string[] },
): string | undefined => replayIdOf({ headers, keys: keysOf(secrets) });
