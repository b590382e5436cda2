import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { FieldRule, oneOfRule } from "../errors/field-errors.js";
import {
  cursorField,
  nextCursor,
  optional,
  optionalFilter,
  optionalWebAddress,
  pageFields,
  timestamp,
  webAddress,
  wholeNumber,
} from "../fields.js";
import { orderEventNames, payoutEventNames, refundEventNames } from "./events.js";

/** Every event that a merchant can receive; `tillgate.test` is sent on demand only. */
export const eventNames = [...orderEventNames, ...refundEventNames, ...payoutEventNames] as const;
export type EventName = (typeof eventNames)[number];

const NAMES: readonly string[] = eventNames;
export const isEventName = (text: string): text is EventName => NAMES.includes(text);

export const testWebhookRequestSchema = z.object({ callback_url: webAddress });

export const webhookTestErrorSchema = z.enum([
  "dns",
  "refused_address",
  "tls",
  "connection",
  "timeout",
  "redirect",
  "status",
  "html_answer",
]);
export type WebhookTestError = z.infer<typeof webhookTestErrorSchema>;

export const webhookTestSchema = z.object({
  delivered: z.boolean(),
  http_status: z.int().nullable(),
  latency_ms: z.int(),
  error: webhookTestErrorSchema.nullable(),
});
export type WebhookTest = z.infer<typeof webhookTestSchema>;

export const testWebhookAnswerSchema = successEnvelope(webhookTestSchema);

/** How long a list of events may wait for the next one, in seconds. */
export const MAX_EVENT_WAIT_SECONDS = 30;

/** Begins a list of events with the next one. */
export const FROM_NOW = "now";

/** A place in the sequence of a merchant's events, as an answer's `next` gives it. */
const CURSOR = /^(\d{1,18})\.(\d{1,18})$/;

/** Two numbers that order all events: the writing transaction, and the event's own. */
export type EventPlace = { turn: bigint; number: bigint };

/** Reads a cursor; null for {@link FROM_NOW}. */
const eventPlace = z
  .string({ error: "must be given once" })
  .refine((value) => value === FROM_NOW || CURSOR.test(value), {
    error: FieldRule.EarlierNext.text,
    abort: true,
  })
  .transform((value): EventPlace | null => {
    const [, turn, number] = CURSOR.exec(value) ?? [];
    return turn === undefined || number === undefined ? null : { turn: BigInt(turn), number: BigInt(number) };
  });

export const listEventsQuerySchema = z.object({
  /** Undefined: from the oldest event; null: from now on. */
  after: eventPlace.optional(),
  types: z
    .string({ error: "must be given once" })
    .transform((value) => [...new Set(value.split(",").map((name) => name.trim()))])
    .refine((names) => names.every(isEventName), {
      error: FieldRule.EventNames.text,
    })
    .transform((names) => names.filter(isEventName))
    .optional(),
  per_page: pageFields.per_page,
  wait: wholeNumber(0, MAX_EVENT_WAIT_SECONDS, 0),
});
export type ListEventsQuery = z.output<typeof listEventsQuerySchema>;

export const listedEventSchema = z.object({
  id: z.string(),
  event: z.enum(eventNames),
  created_at: timestamp,
  order_id: z.string().nullable(),
  body: z.string(),
});
export type ListedEvent = z.infer<typeof listedEventSchema>;

export const eventListAnswerSchema = successEnvelope(
  z.object({ events: z.array(listedEventSchema), next: z.string(), has_more: z.boolean() }),
);
export type EventList = z.infer<typeof eventListAnswerSchema>["data"];

export const chosenEvents = z
  .array(z.string(), {
    error: (issue) => (issue.input === undefined ? FieldRule.Required.text : "must be a list of events"),
  })
  .min(1, { error: "must name at least one event" })
  .refine((names) => names.every(isEventName), { error: "must be names of events" })
  .transform((names) => [...new Set(names.filter(isEventName))]);

export const createEndpointRequestSchema = z.object({ address: webAddress, events: chosenEvents });
export type CreateEndpoint = z.output<typeof createEndpointRequestSchema>;

/** A field that is left out does not change. */
export const changeEndpointRequestSchema = z.object({
  address: optionalWebAddress,
  events: optional(chosenEvents),
});

export const endpointStateSchema = z.enum(["active", "paused", "disabled"]);

export const endpointSchema = z.object({
  endpoint_id: z.uuid(),
  address: z.string(),
  events: z.array(z.enum(eventNames)),
  state: endpointStateSchema,
  /** `gone`, `failing` or `administrator`. */
  disabled_reason: z.string().nullable(),
  disabled_at: timestamp.nullable(),
  /** When its address first answered 2xx to a test event; null again for another address. */
  verified_at: timestamp.nullable(),
  last_success_at: timestamp.nullable(),
  last_failure_at: timestamp.nullable(),
  /** The likely cause of the last failure, in words; null once a delivery has arrived again. */
  likely_cause: z.string().nullable(),
  failures_in_row: z.int(),
  failing_since: timestamp.nullable(),
  /** Until when the secret before a rotation signs too. */
  previous_secret_expires_at: timestamp.nullable(),
  created_at: timestamp,
});
export type WebhookEndpoint = z.infer<typeof endpointSchema>;

export const endpointAnswerSchema = successEnvelope(endpointSchema);
/** The secret is shown only here. */
export const endpointSecretAnswerSchema = successEnvelope(endpointSchema.extend({ secret: z.string() }));
export type WebhookEndpointSecret = z.infer<typeof endpointSecretAnswerSchema>["data"];
export const endpointListAnswerSchema = successEnvelope(z.object({ endpoints: z.array(endpointSchema) }));

const LISTED_STATUSES = ["failed"] as const;
export const listWebhookDeliveriesQuerySchema = z.object({
  endpoint_id: optionalFilter(64),
  status: z.enum(LISTED_STATUSES, { error: oneOfRule(LISTED_STATUSES).text }).optional(),
  cursor: cursorField,
  per_page: pageFields.per_page,
});

const deliveryStatusSchema = z.enum(["pending", "queued", "held", "delivered", "failed"], {
  error: "must be one of pending, queued, held, delivered, failed",
});

export const webhookDeliverySchema = z.object({
  delivery_id: z.uuid(),
  event_id: z.string(),
  event: z.enum(eventNames),
  address: z.string(),
  status: deliveryStatusSchema,
  given_up_because: z.string().nullable(),
  attempts: z.int(),
  /** While it is pending. */
  next_attempt_at: timestamp.nullable(),
  created_at: timestamp,
  settled_at: timestamp.nullable(),
  /** Null: the order's own callback_url. */
  endpoint_id: z.uuid().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
export const webhookAttemptSchema = z.object({
  number: z.int(),
  started_at: timestamp,
  latency_ms: z.int(),
  http_status: z.int().nullable(),
  error: z.string().nullable(),
  likely_cause: z.string().nullable(),
  answer_start: z.string().nullable(),
});

export const webhookDeliveryListAnswerSchema = successEnvelope(
  z.object({ deliveries: z.array(webhookDeliverySchema), next_cursor: nextCursor }),
);
export type WebhookDeliveryList = z.infer<typeof webhookDeliveryListAnswerSchema>["data"];
export const webhookDeliveryAnswerSchema = successEnvelope(
  webhookDeliverySchema.extend({ history: z.array(webhookAttemptSchema) }),
);
export type WebhookDeliveryDetails = z.infer<typeof webhookDeliveryAnswerSchema>["data"];

export const deliveryResentAnswerSchema = successEnvelope(
  z.object({ delivery_id: z.uuid(), already_waiting: z.boolean() }),
);
export type DeliveryResent = z.infer<typeof deliveryResentAnswerSchema>["data"];
