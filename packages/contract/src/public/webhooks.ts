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
import { orderEventNames, payoutEventNames, refundEventNames, reportEventNames } from "./events.js";

/** The default events of a list or replay. Newer events are not added, because existing clients do not know them. */
export const defaultEventNames = [...orderEventNames, ...refundEventNames, ...payoutEventNames] as const;
/** `tillgate.test` is only sent on request. */
export const eventNames = [...defaultEventNames, ...reportEventNames] as const;
export type EventName = (typeof eventNames)[number];

const NAMES: readonly string[] = eventNames;
export const isEventName = (text: string): text is EventName => NAMES.includes(text);

export const testWebhookRequestSchema = z.object({
  callback_url: webAddress.describe(
    "The URL that receives the `tillgate.test` event. https only in live mode; private addresses are rejected.",
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

export const webhookTestSchema = z.object({
  delivered: z.boolean().describe("Whether the URL returned 2xx, without a web page, within 15 seconds."),
  http_status: z.int().nullable().describe("The HTTP status; null without a response."),
  latency_ms: z.int().describe("The duration in milliseconds."),
  error: webhookTestErrorSchema
    .nullable()
    .describe(
      "The cause of the failure: `dns` (host name does not resolve), `refused_address` (private or otherwise blocked address), `tls` (certificate or handshake), `connection` (refused or reset), `timeout`, `redirect` (a 3xx; redirects are not followed), `status` (any other status) or `html_answer` (a 2xx with a web page instead of a webhook handler's response; a delivery would be retried). Null on success.",
    ),
  location: z.string().nullable().describe("The target of a `redirect`; otherwise null."),
});
export type WebhookTest = z.infer<typeof webhookTestSchema>;

export const testWebhookResponseSchema = successEnvelope(webhookTestSchema);

export const MAX_EVENT_WAIT_SECONDS = 30;

export const FROM_NOW = "now";

/** The format of `next`. */
const CURSOR = /^(\d{1,18})\.(\d{1,18})$/;

/** Events are ordered by the ID of the writing transaction (`turn`), then by `number`. */
export type EventPosition = { turn: bigint; number: bigint };

/** Null for {@link FROM_NOW}. */
const eventPosition = z
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
  /** Undefined starts with the oldest event, null with the next new event. */
  after: eventPosition.optional(),
  types: z
    .string({ error: "must be given once" })
    .transform((value) => [...new Set(value.split(",").map((name) => name.trim()))])
    .refine((names) => names.every(isEventName), {
      error: FieldRule.EventNames.text,
    })
    .transform((names) => names.filter(isEventName))
    .default([...defaultEventNames]),
  per_page: pageFields.per_page,
  wait: wholeNumber(0, MAX_EVENT_WAIT_SECONDS, 0),
});
export type ListEventsQuery = z.output<typeof listEventsQuerySchema>;

export const listedEventSchema = z.object({
  id: z.string().describe("The event's ID, sent as `webhook-id`."),
  event: z.enum(eventNames).describe("The event's name."),
  created_at: timestamp.describe("When the event was recorded."),
  order_id: z.string().nullable().describe("The related order; null for a payout or report."),
  body: z.string().describe("The body, byte for byte as deliveries send it."),
});
export type ListedEvent = z.infer<typeof listedEventSchema>;

export const eventListResponseSchema = successEnvelope(
  z.object({
    events: z.array(listedEventSchema),
    next: z.string().describe("The `after` of the next request."),
    has_more: z.boolean().describe("Whether more events are available now."),
  }),
);
export type EventList = z.infer<typeof eventListResponseSchema>["data"];

const ENDPOINT_ADDRESS =
  "The URL that webhooks are sent to. In live mode: https on port 80 or 443; in the sandbox, also ports from 1024. Private addresses are rejected.";

export const subscribedEvents = z
  .array(z.string(), {
    error: (issue) => (issue.input === undefined ? FieldRule.Required.text : "must be a list of event names"),
  })
  .min(1, { error: "must contain at least one event" })
  .refine((names) => names.every(isEventName), { error: "must be event names" })
  .transform((names) => [...new Set(names.filter(isEventName))]);

export const createEndpointRequestSchema = z.object({
  address: webAddress.describe(`${ENDPOINT_ADDRESS} Unique among your endpoints.`),
  events: subscribedEvents.describe("The events to subscribe to."),
});

/** Omitted fields keep their values. */
export const changeEndpointRequestSchema = z.object({
  address: optionalWebAddress.describe(`${ENDPOINT_ADDRESS} Pending deliveries go to the new URL.`),
  events: optional(subscribedEvents).describe("The events to subscribe to from now on."),
});

export const endpointStateSchema = z.enum(["active", "paused", "disabled"]);

export const endpointSchema = z.object({
  endpoint_id: z.uuid().describe("Identifies the endpoint."),
  address: z.string().describe("The URL that webhooks are sent to."),
  events: z.array(z.enum(eventNames)).describe("The subscribed events."),
  state: endpointStateSchema.describe(
    "`paused`: deliveries are held until it is resumed. `disabled`: nothing is sent until it is enabled.",
  ),
  disabled_reason: z
    .string()
    .nullable()
    .describe(
      "`gone` (it returned 410), `failing` (for five days) or `administrator`; null unless disabled.",
    ),
  disabled_at: timestamp.nullable().describe("When the endpoint was disabled."),
  verified_at: timestamp
    .nullable()
    .describe("When the URL first returned 2xx to a test event. Reset if the URL changes."),
  last_success_at: timestamp.nullable().describe("When a delivery last succeeded."),
  last_failure_at: timestamp.nullable().describe("When an attempt last failed."),
  likely_cause: z
    .string()
    .nullable()
    .describe("The likely cause of the last failure. Null after a successful delivery."),
  failures_in_row: z.int().describe("The number of consecutive failed attempts."),
  failing_since: timestamp.nullable().describe("When the first of these attempts failed."),
  previous_secret_expires_at: timestamp
    .nullable()
    .describe("When the previous secret stops signing. Null unless a rotation is in progress."),
  created_at: timestamp.describe("When it was created."),
});
export type WebhookEndpoint = z.infer<typeof endpointSchema>;

export const endpointResponseSchema = successEnvelope(endpointSchema);
export const endpointSecretResponseSchema = successEnvelope(
  endpointSchema.extend({
    secret: z.string().describe("The signing secret (`whsec_…`). Returned only in this response."),
  }),
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

export const givenUpReason = z.enum([
  "attempts_over",
  "gone",
  "receiver_disabled",
  "receiver_removed",
  "test_control",
]);
export type GivenUpReason = z.infer<typeof givenUpReason>;

export const webhookDeliverySchema = z.object({
  delivery_id: z.uuid().describe("Identifies the delivery."),
  event_id: z.string().describe("The event's ID, sent as `webhook-id`."),
  event: z.enum(eventNames).describe("The event's name."),
  address: z.string().describe("The URL it is sent to."),
  status: deliveryStatusSchema.describe(
    "`queued`: sent as soon as possible. `pending`: an attempt failed, and a retry is scheduled. `held`: the endpoint is paused. `failed`: nothing more is sent; `given_up_because` is the reason.",
  ),
  given_up_because: givenUpReason
    .nullable()
    .describe(
      "Why the delivery failed; null unless it did. `attempts_over`: the last attempt failed. `gone`: the endpoint responded with 410. `receiver_disabled`, `receiver_removed`: the endpoint was disabled or removed. `test_control`: a test control dropped it.",
    ),
  attempts: z.int().describe("The number of attempts."),
  next_attempt_at: timestamp.nullable().describe("When the next attempt is scheduled; null unless pending."),
  created_at: timestamp.describe("When it was created."),
  settled_at: timestamp.nullable().describe("When the delivery succeeded or failed."),
  endpoint_id: z.uuid().nullable().describe("The endpoint; null for an order's `callback_url`."),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
export const webhookAttemptSchema = z.object({
  number: z.int().describe("The attempt number, starting at 1."),
  started_at: timestamp.describe("When the attempt was sent."),
  latency_ms: z.int().describe("The time to the response, in milliseconds."),
  http_status: z.int().nullable().describe("The HTTP status; null without a response."),
  error: z
    .string()
    .nullable()
    .describe("The error if there was no response, such as `dns` or `timeout`; otherwise null."),
  likely_cause: z.string().nullable().describe("The likely cause of a failure."),
  answer_start: z.string().nullable().describe("The beginning of the response body."),
});

export const webhookDeliveryListResponseSchema = successEnvelope(
  z.object({ deliveries: z.array(webhookDeliverySchema), next_cursor: nextCursor }),
);
export type WebhookDeliveryList = z.infer<typeof webhookDeliveryListResponseSchema>["data"];
export const webhookDeliveryResponseSchema = successEnvelope(
  webhookDeliverySchema.extend({
    history: z.array(webhookAttemptSchema).describe("The latest 100 attempts, newest first."),
  }),
);
export type WebhookDeliveryDetails = z.infer<typeof webhookDeliveryResponseSchema>["data"];

export const resendDeliveryResponseSchema = successEnvelope(
  z.object({
    delivery_id: z.uuid(),
    already_waiting: z.boolean().describe("True if the delivery was already queued, so nothing changed."),
  }),
);
export type ResendResult = z.infer<typeof resendDeliveryResponseSchema>["data"];
