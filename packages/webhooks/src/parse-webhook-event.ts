import { type WebhookEvent, webhookEventSchema } from "@tillgate/contract";

/** Thrown for a genuine body that is not an event of the wire contract; `problems` say where it differs. */
export class WebhookEventError extends Error {
  override readonly name = "WebhookEventError";

  constructor(
    message: string,
    /** The event's name, when the body has one: a receiver may acknowledge names it does not know. */
    readonly event: string | undefined,
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Reads the body of a delivery that `verifyWebhook` found genuine.
 * @throws WebhookEventError when it is not JSON, an event of an unknown name, or lacks a field.
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

  const event = eventNameOf(value);
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  const what = event === undefined ? "The webhook body" : `The webhook body of ${event}`;
  throw new WebhookEventError(`${what} is not an event of the contract.`, event, problems);
}

function eventNameOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("event" in value)) return undefined;
  return typeof value.event === "string" ? value.event : undefined;
}
