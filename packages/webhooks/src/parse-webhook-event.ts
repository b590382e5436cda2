import { eventNames, type WebhookEvent, webhookEventSchema } from "@tillgate/contract";

const KNOWN_EVENTS: ReadonlySet<string> = new Set([...eventNames, "tillgate.test"]);

const isUnknown = (event: string | undefined): boolean => event !== undefined && !KNOWN_EVENTS.has(event);

/** Thrown for a body that is not a valid event; `problems` lists the invalid fields, and is empty for a body that is not JSON. */
export class WebhookEventError extends Error {
  override readonly name = "WebhookEventError";

  constructor(
    message: string,
    /** The event's name, if the body has one. */
    readonly event: string | undefined,
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether this version does not know the event's name. If so, acknowledge the webhook with a 2xx, because it is otherwise retried for days. */
  get isUnknownEvent(): boolean {
    return isUnknown(this.event);
  }
}

/**
 * Parses the body of a delivery, after `verifyWebhook`.
 * @throws WebhookEventError if the body is not JSON, or has an unknown event name or a missing or invalid field.
 */
export function parseWebhookEvent(body: string): WebhookEvent {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw new WebhookEventError("The webhook body is not JSON.", undefined, [], { cause });
  }
  const parsed = webhookEventSchema.safeParse(value);
  if (parsed.success) return parsed.data;

  const event = readEventName(value);
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  const subject = event === undefined ? "The webhook body" : `The webhook body of ${event}`;
  const message = isUnknown(event)
    ? `This version does not know the event ${event}.`
    : `${subject} is not a valid event.`;
  throw new WebhookEventError(message, event, problems);
}

function readEventName(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("event" in value)) return undefined;
  return typeof value.event === "string" ? value.event : undefined;
}
