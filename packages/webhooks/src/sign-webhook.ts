import { replaySignature, simpleSignature, standardSignature, type WebhookKey } from "./signatures.js";

export type SignWebhookOptions = {
  /** The event's ID, the same for every attempt and endpoint: letters, digits, `_` and `-`. */
  id: string;
  /** The event's name, as in the body. */
  event: string;
  /** The time of this attempt, in Unix seconds. */
  timestampSeconds: number;
  /** The body, exactly as sent. */
  body: string;
  /** The active keys: one, or several during a rotation. Each creates a signature. */
  keys: readonly WebhookKey[];
  /** The key of `X-Tillgate-Signature`. Defaults to the first key. */
  simpleKey?: WebhookKey;
  /** The ID of the replay that resends the event, if any. */
  replayId?: string | null | undefined;
};

export type WebhookHeaders = {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
  "X-Tillgate-Event": string;
  "X-Tillgate-Signature": string;
  "X-Tillgate-Replay"?: string;
  "X-Tillgate-Replay-Signature"?: string;
};

/**
 * Creates the Standard Webhooks headers, and `X-Tillgate-Signature`, which covers only the body. The ID of a replay is signed separately.
 * @throws RangeError if the ID, event or time is not valid in a header, or no key is given.
 */
export function signWebhook(options: SignWebhookOptions): WebhookHeaders {
  const { id, event, timestampSeconds, body, keys, replayId } = options;
  const simpleKey = options.simpleKey ?? keys[0];
  // A dot in the ID would make the signed text "id.timestamp.body" ambiguous.
  if (!/^[\w-]+$/.test(id)) throw new RangeError(`${JSON.stringify(id)} is not a valid webhook ID.`);
  if (!/^[\w.-]+$/.test(event)) throw new RangeError(`${JSON.stringify(event)} is not a valid event name.`);
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0) {
    throw new RangeError("A webhook's timestamp must be a nonnegative whole number of Unix seconds.");
  }
  if (!simpleKey || keys.length === 0) throw new RangeError("A webhook needs at least one signing key.");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": keys.map((key) => standardSignature(key, id, timestampSeconds, body)).join(" "),
    "X-Tillgate-Event": event,
    "X-Tillgate-Signature": simpleSignature(simpleKey, body),
    ...(replayId
      ? {
          "X-Tillgate-Replay": replayId,
          "X-Tillgate-Replay-Signature": keys
            .map((key) => replaySignature(key, id, timestampSeconds, replayId))
            .join(" "),
        }
      : {}),
  };
}
