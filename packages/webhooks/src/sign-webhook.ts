import { replaySignature, simpleSignature, standardSignature, type WebhookKey } from "./signatures.js";

export type SignWebhookOptions = {
  /** The event's id: the same at every attempt and for every receiver. Without a dot or a space. */
  id: string;
  /** The event's name, as in the body. */
  event: string;
  /** The second of this attempt, since 1970. */
  timestampSeconds: number;
  /** The body exactly as it will be sent. */
  body: string;
  /** The live keys: one, or during a rotation several, each of which signs. */
  keys: readonly WebhookKey[];
  /** The key of the simple header, by default the first: during a rotation the sender chooses. */
  simpleKey?: WebhookKey;
  /** The replay that sends the event again. */
  replayId?: string | null | undefined;
};

/** The headers of one delivery. A type alias, so that it is a plain record for `fetch`. */
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
 * Signs one attempt of a delivery, for both checks that the wire contract offers: Standard Webhooks, and the simple
 * header over the body alone.
 * @throws RangeError for an id, event or time that cannot stand in the headers, or when there is no key.
 */
export function signWebhook(options: SignWebhookOptions): WebhookHeaders {
  const { id, event, timestampSeconds, body, keys, replayId } = options;
  const simpleKey = options.simpleKey ?? keys[0];
  // A dot in the id would make the signed text "id.timestamp.body" ambiguous.
  if (!/^[\w-]+$/.test(id)) throw new RangeError(`${JSON.stringify(id)} cannot be a webhook id.`);
  if (!/^[\w.-]+$/.test(event)) throw new RangeError(`${JSON.stringify(event)} cannot be an event name.`);
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0) {
    throw new RangeError("A webhook's timestamp is whole seconds since 1970.");
  }
  if (!simpleKey || keys.length === 0) throw new RangeError("A webhook needs at least one key to be signed.");
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
