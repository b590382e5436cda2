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

export const testWebhookRequestSchema = z.object({
  callback_url: webAddress.describe(
    "Gets one `tillgate.test` event, as it would get an order's. https only in live mode; never an address inside a private network.",
  ),
});

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
  delivered: z.boolean().describe("Whether the address answered 2xx, and no web page, within 15 seconds."),
  http_status: z.int().nullable().describe("The status it answered; null when there was no answer."),
  latency_ms: z.int().describe("How long it took, in milliseconds."),
  error: webhookTestErrorSchema
    .nullable()
    .describe(
      "Why it failed: `dns` the host name does not resolve, `refused_address` not an address that is delivered to, `tls` the certificate or handshake, `connection` refused or broken off, `timeout`, `redirect` a 3xx (none is followed), `status` any other status. `html_answer` a 2xx with a web page in it: a page answered in place of a webhook receiver, and a delivery would be sent again. Null: all is well.",
    ),
  location: z.string().nullable().describe("Where a `redirect` leads; null otherwise."),
});
export type WebhookTest = z.infer<typeof webhookTestSchema>;

export const testWebhookResponseSchema = successEnvelope(webhookTestSchema);

/** How long a list of events may wait for the next one, in seconds. */
export const MAX_EVENT_WAIT_SECONDS = 30;

/** Begins a list of events with the next one. */
export const FROM_NOW = "now";

/** A place in the sequence of a merchant's events, as an answer's `next` gives it. */
const CURSOR = /^(\d{1,18})\.(\d{1,18})$/;

/** Two numbers that order all events: the writing transaction, and the event's own. */
export type EventPosition = { turn: bigint; number: bigint };

/** Reads a cursor; null for {@link FROM_NOW}. */
const eventPlace = z
  .string({ error: "must be given once" })
  .refine((value) => value === FROM_NOW || CURSOR.test(value), {
    error: FieldRule.EarlierNext.text,
    abort: true,
  })
  .transform((value): EventPosition | null => {
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
  id: z.string().describe("The event's id, its `webhook-id`."),
  event: z.enum(eventNames).describe("The event's name."),
  created_at: timestamp.describe("When it was written."),
  order_id: z.string().nullable().describe("The order it is about; null for a payout."),
  body: z.string().describe("The body, as the exact text that deliveries send."),
});
export type ListedEvent = z.infer<typeof listedEventSchema>;

export const eventListResponseSchema = successEnvelope(
  z.object({
    events: z.array(listedEventSchema),
    next: z.string().describe("Give it as `after` to go on behind these events."),
    has_more: z.boolean().describe("Whether there are more events already."),
  }),
);
export type EventList = z.infer<typeof eventListResponseSchema>["data"];

const ENDPOINT_ADDRESS =
  "Where webhooks are sent. In live mode https on port 80 or 443, in the sandbox also ports from 1024; never an address inside a private network.";

export const subscribedEvents = z
  .array(z.string(), {
    error: (issue) => (issue.input === undefined ? FieldRule.Required.text : "must be a list of events"),
  })
  .min(1, { error: "must name at least one event" })
  .refine((names) => names.every(isEventName), { error: "must be names of events" })
  .transform((names) => [...new Set(names.filter(isEventName))]);

export const createEndpointRequestSchema = z.object({
  address: webAddress.describe(`${ENDPOINT_ADDRESS} Each of your endpoints has another one.`),
  events: subscribedEvents.describe("The names of the events that it gets."),
});
export type CreateEndpoint = z.output<typeof createEndpointRequestSchema>;

/** A field that is left out does not change. */
export const changeEndpointRequestSchema = z.object({
  address: optionalWebAddress.describe(`${ENDPOINT_ADDRESS} Waiting deliveries go there.`),
  events: optional(subscribedEvents).describe("The names of the events that it gets from now on."),
});

export const endpointStateSchema = z.enum(["active", "paused", "disabled"]);

export const endpointSchema = z.object({
  endpoint_id: z.uuid().describe("Identifies the endpoint."),
  address: z.string().describe("Where webhooks are sent."),
  events: z.array(z.enum(eventNames)).describe("The events that it gets."),
  state: endpointStateSchema.describe(
    "`paused`: its deliveries are kept. `disabled`: nothing is sent to it until it is enabled.",
  ),
  /** `gone`, `failing` or `administrator`. */
  disabled_reason: z
    .string()
    .nullable()
    .describe(
      "`gone` (it answered 410), `failing` (for five days) or `administrator`; null while it is not disabled.",
    ),
  disabled_at: timestamp.nullable().describe("When it was disabled."),
  /** When its address first answered 2xx to a test event; null again for another address. */
  verified_at: timestamp
    .nullable()
    .describe("When its address first answered 2xx to a test event; null again for another address."),
  last_success_at: timestamp.nullable().describe("When a delivery last arrived."),
  last_failure_at: timestamp.nullable().describe("When an attempt last failed."),
  /** The likely cause of the last failure, in words; null once a delivery has arrived again. */
  likely_cause: z
    .string()
    .nullable()
    .describe("The likely cause of the last failure, in words; null once a delivery has arrived again."),
  failures_in_row: z.int().describe("How many attempts have failed since the last that arrived."),
  failing_since: timestamp.nullable().describe("When the first of them failed."),
  /** Until when the secret before a rotation signs too. */
  previous_secret_expires_at: timestamp
    .nullable()
    .describe("Until when the secret before a rotation signs too."),
  created_at: timestamp.describe("When it was made."),
});
export type WebhookEndpoint = z.infer<typeof endpointSchema>;

export const endpointResponseSchema = successEnvelope(endpointSchema);
/** The secret is shown only here. */
export const endpointSecretResponseSchema = successEnvelope(
  endpointSchema.extend({ secret: z.string().describe("Signs its webhooks (`whsec_…`). Shown only here.") }),
);
export type WebhookEndpointSecret = z.infer<typeof endpointSecretResponseSchema>["data"];
export const endpointListResponseSchema = successEnvelope(z.object({ endpoints: z.array(endpointSchema) }));

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
  delivery_id: z.uuid().describe("Identifies the delivery."),
  event_id: z.string().describe("The event's id, its `webhook-id`."),
  event: z.enum(eventNames).describe("The event's name."),
  address: z.string().describe("Where it is sent."),
  status: deliveryStatusSchema.describe(
    "`queued`: it is sent as soon as possible. `pending`: it has failed and is tried again. `held`: its endpoint is paused. `failed`: it was given up.",
  ),
  given_up_because: z.string().nullable().describe("Why it was given up; null while it was not."),
  attempts: z.int().describe("How often it was sent."),
  /** While it is pending. */
  next_attempt_at: timestamp.nullable().describe("When it is sent again, while it is pending."),
  created_at: timestamp.describe("When it was made."),
  settled_at: timestamp.nullable().describe("When it arrived or was given up."),
  /** Null: the order's own callback_url. */
  endpoint_id: z.uuid().nullable().describe("The endpoint; null for an order's own callback_url."),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
export const webhookAttemptSchema = z.object({
  number: z.int().describe("Counts the attempts of the delivery, from 1."),
  started_at: timestamp.describe("When it was sent."),
  latency_ms: z.int().describe("How long the answer took."),
  http_status: z.int().nullable().describe("What was answered; null where nothing was."),
  error: z.string().nullable().describe("What went wrong, `dns` or `timeout`; null for an answer."),
  likely_cause: z.string().nullable().describe("The likely cause of a failure, in words."),
  answer_start: z.string().nullable().describe("The first part of the answer."),
});

export const webhookDeliveryListResponseSchema = successEnvelope(
  z.object({ deliveries: z.array(webhookDeliverySchema), next_cursor: nextCursor }),
);
export type WebhookDeliveryList = z.infer<typeof webhookDeliveryListResponseSchema>["data"];
export const webhookDeliveryResponseSchema = successEnvelope(
  webhookDeliverySchema.extend({
    history: z.array(webhookAttemptSchema).describe("The attempts, the newest first; the newest hundred."),
  }),
);
export type WebhookDeliveryDetails = z.infer<typeof webhookDeliveryResponseSchema>["data"];

export const resendDeliveryResponseSchema = successEnvelope(
  z.object({
    delivery_id: z.uuid(),
    already_waiting: z.boolean().describe("Whether it was about to be sent anyway, so that nothing changed."),
  }),
);
export type ResendResult = z.infer<typeof resendDeliveryResponseSchema>["data"];
