import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import {
  INVALID_CURSOR_TEXT,
  isStorable,
  LATER_THAN_FROM,
  modeSchema,
  moment,
  pageFields,
  timestamp,
  webAddress,
} from "../fields.js";
import {
  createEndpointRequestSchema,
  endpointSchema,
  eventNames,
  subscribedEvents,
  webhookAttemptSchema,
  webhookDeliverySchema,
  webhookTestSchema,
} from "../public/webhooks.js";

/**
 * Internal API of the console, server to server. Browsers never call it.
 *
 * Request headers: `X-Tillgate-Internal-Key` (always), `X-Tillgate-Console-Session` (the session's token, once there is one),
 * `X-Tillgate-Client-Address` and `X-Tillgate-Client-Browser` (the user's address and `User-Agent`). Paths of a merchant begin with
 * `/merchants/{merchant}/{mode}`, which only its members and administrators may call.
 */
export const CONSOLE_PATH = "/console/v1";

export const createReceiverRequestSchema = createEndpointRequestSchema;
export type CreateReceiverRequest = z.output<typeof createReceiverRequestSchema>;

/** Omitted fields stay unchanged. */
export const changeReceiverRequestSchema = z.object({
  address: webAddress.optional(),
  events: subscribedEvents.optional(),
});
export type ChangeReceiverRequest = z.output<typeof changeReceiverRequestSchema>;

export const receiverSchema = z.object({
  receiver_id: z.uuid(),
  mode: modeSchema,
  ...endpointSchema.omit({ endpoint_id: true }).shape,
});
export type Receiver = z.infer<typeof receiverSchema>;

export const receiverResponseSchema = successEnvelope(receiverSchema);
export const receiverListResponseSchema = successEnvelope(z.object({ receivers: z.array(receiverSchema) }));
/** The secret is shown only once. */
export const receiverSecretResponseSchema = successEnvelope(receiverSchema.extend({ secret: z.string() }));
export const receiverTestResponseSchema = successEnvelope(webhookTestSchema);

export const deliverySchema = z.object({
  ...webhookDeliverySchema.omit({ endpoint_id: true }).shape,
  /** Null for a delivery to the order's `callback_url`. */
  receiver_id: z.uuid().nullable(),
});
export type ReceiverDelivery = z.infer<typeof deliverySchema>;

export type DeliveryAttempt = z.infer<typeof webhookAttemptSchema>;

export const consoleEventSchema = z.object({
  id: z.string(),
  event: z.enum(eventNames),
  order_id: z.string().nullable(),
  created_at: timestamp,
  body: z.string(),
});

export const timelineEntrySchema = z.object({
  entry_id: z.string(),
  kind: z.string(),
  receiver_id: z.uuid().nullable(),
  details: z.record(z.string(), z.unknown()),
  likely_cause: z.string().nullable(),
  created_at: timestamp,
});

/** The `next` of the previous page. By default, the list starts with the newest item. */
const before = z
  .string({ error: "must be given once" })
  .refine((value) => value !== "" && value.length <= 64 && isStorable(value), {
    error: INVALID_CURSOR_TEXT,
  })
  .optional();

export const cursorPageSchema = z.object({ before, per_page: pageFields.per_page });
export type CursorPage = z.output<typeof cursorPageSchema>;

export const listDeliveriesQuerySchema = cursorPageSchema.extend({
  status: z.literal("failed", { error: "must be failed" }).optional(),
});

/** Builds the schema of a list, newest first; `next` is null on the last page. */
const cursorListSchema = <Items extends z.ZodRawShape>(items: Items) =>
  successEnvelope(z.object({ ...items, next: z.string().nullable() }));

export const deliveryListResponseSchema = cursorListSchema({ deliveries: z.array(deliverySchema) });
export const consoleEventListResponseSchema = cursorListSchema({ events: z.array(consoleEventSchema) });
export const timelineResponseSchema = cursorListSchema({ entries: z.array(timelineEntrySchema) });
/** Undismissed notices, newest first. */
export const noticesResponseSchema = successEnvelope(z.object({ notices: z.array(timelineEntrySchema) }));
/** False if already dismissed. */
export const dismissedResponseSchema = successEnvelope(z.object({ dismissed: z.boolean() }));
export const consoleEventResponseSchema = successEnvelope(
  consoleEventSchema.extend({ deliveries: z.array(deliverySchema) }),
);
export const deliveryResponseSchema = successEnvelope(
  deliverySchema.extend({ history: z.array(webhookAttemptSchema) }),
);

/**
 * Selects deliveries by event time: `from` is inclusive, `to` exclusive. `all` includes successful deliveries. Calls with the same `as_of` resend
 * each delivery at most once.
 */
export const resendRequestSchema = z
  .object({
    from: moment,
    to: moment,
    what: z.enum(["failed", "all"], { error: "must be failed or all" }).default("failed"),
    as_of: moment.optional(),
  })
  .refine(({ from, to }) => from < to, LATER_THAN_FROM);

/** `from` is inclusive, `to` exclusive. */
export const backfillRequestSchema = z
  .object({ from: moment, to: moment })
  .refine(({ from, to }) => from < to, LATER_THAN_FROM);

/** All retained events by default. */
export const missedEventsQuerySchema = z
  .object({ from: moment.default(() => new Date(0)), to: moment.default(() => new Date()) })
  .refine(({ from, to }) => from < to, LATER_THAN_FROM);

export const missedEventsResponseSchema = successEnvelope(
  z.object({
    /** Events without a delivery, such as those from before the endpoint existed or from a time when it was disabled. */
    never_sent: z.int(),
    given_up: z.int(),
    /** Times of the first and last of these events. */
    first: timestamp.nullable(),
    last: timestamp.nullable(),
    /** Whether the count stopped at its limit. */
    more: z.boolean(),
  }),
);
export const backfillResponseSchema = successEnvelope(z.object({ sent: z.int(), more: z.boolean() }));

export const resendResponseSchema = successEnvelope(
  z.object({ delivery_id: z.uuid(), already_waiting: z.boolean() }),
);
export const resendFailedResponseSchema = successEnvelope(
  z.object({ resent: z.int(), skipped: z.int(), more: z.boolean() }),
);
