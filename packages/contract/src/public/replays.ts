import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { FieldRule } from "../errors/field-errors.js";
import {
  cursorField,
  idempotencyKey,
  LATER_THAN_FROM,
  moment,
  nextCursor,
  optional,
  optionalFilter,
  optionalText,
  optionalWebAddress,
  pageFields,
  timestamp,
} from "../fields.js";
import { eventNames, subscribedEvents } from "./webhooks.js";

/** A replay resends the events of a time range, in order, to one endpoint or URL. */

const range = {
  endpoint_id: optionalText(64).describe("The endpoint to send to. Webhooks are signed with its secret."),
  callback_url: optionalWebAddress.describe(
    "The URL to send to. Webhooks are signed with the client secret of this call, as for an order's `callback_url`. https only in live mode; private addresses are rejected.",
  ),
  from: optional(moment).describe("Start of the range, inclusive. Defaults to the oldest retained event."),
  to: optional(moment).describe("End of the range, exclusive. Defaults to now."),
  events: optional(subscribedEvents).describe(
    "The events to send. Defaults to the endpoint's subscriptions or, for a URL, to the events of orders, refunds and payouts.",
  ),
};
type Range = z.output<z.ZodObject<typeof range>>;

const hasTarget = ({ endpoint_id, callback_url }: Range) =>
  endpoint_id !== undefined || callback_url !== undefined;
const hasOneTarget = ({ endpoint_id, callback_url }: Range) =>
  endpoint_id === undefined || callback_url === undefined;
const isRange = ({ from, to }: Range) => from === undefined || to === undefined || from < to;
const NO_TARGET = { path: ["callback_url"], error: FieldRule.RequiredWithoutEndpoint.text };
const TWO_TARGETS = { path: ["callback_url"], error: FieldRule.NotWithEndpoint.text };

export const previewReplayRequestSchema = z
  .object(range)
  .refine(hasTarget, NO_TARGET)
  .refine(hasOneTarget, TWO_TARGETS)
  .refine(isRange, LATER_THAN_FROM);
export type PreviewReplayRequest = z.output<typeof previewReplayRequestSchema>;

export const createReplayRequestSchema = z
  .object({
    ...range,
    skip_failed: optional(z.boolean({ error: "must be true or false" })).describe(
      "Continue with the next event if an attempt fails; the failed event is retried on the usual schedule, out of order. By default, the replay waits for it.",
    ),
    idempotency_key: idempotencyKey,
  })
  .refine(hasTarget, NO_TARGET)
  .refine(hasOneTarget, TWO_TARGETS)
  .refine(isRange, LATER_THAN_FROM);
export type CreateReplayRequest = z.output<typeof createReplayRequestSchema>;

/** `stopped`: an event's retries were exhausted, or its receiver responded with 410 or was disabled or removed. Resuming continues with that event. */
export const replayStateSchema = z.enum(["running", "stopped", "completed", "cancelled"]);
export type ReplayState = z.infer<typeof replayStateSchema>;

export const replaySchema = z.object({
  replay_id: z.uuid().describe("Identifies the replay."),
  endpoint_id: z.uuid().nullable().describe("The endpoint, or null if the replay is sent to a URL."),
  callback_url: z.string().nullable().describe("The URL, or null if the replay is sent to an endpoint."),
  from: timestamp.describe("Start of the range, inclusive."),
  to: timestamp.describe("End of the range, exclusive."),
  events: z.array(z.enum(eventNames)).describe("The events that the replay sends."),
  skip_failed: z.boolean().describe("Whether the replay continues with the next event if an attempt fails."),
  state: replayStateSchema.describe(
    "`stopped`: the retries of an event were exhausted, the receiver returned 410, or the endpoint was disabled or removed; resuming continues with that event.",
  ),
  total: z.int().describe("The number of events in the range when the replay was created."),
  sent: z.int().describe("The number of delivered events."),
  failed: z.int().describe("The number of skipped events."),
  cursor: z
    .string()
    .nullable()
    .describe(
      "The position of the last delivered or skipped event, usable as `after` of `GET /events`. Null before the first.",
    ),
  event_id: z.string().nullable().describe("The event being delivered, if any."),
  delivery_id: z
    .uuid()
    .nullable()
    .describe("The delivery of that event. If the replay is stopped, its `given_up_because` is the reason."),
  created_at: timestamp.describe("When the replay was created."),
  ended_at: timestamp.nullable().describe("When the replay was completed or cancelled."),
});
export type Replay = z.infer<typeof replaySchema>;

export const replayPreviewSchema = z.object({
  total: z.int().describe("The number of events."),
  more: z
    .boolean()
    .describe("Whether the range has more events than one replay can send; only those that fit are counted."),
  by_event: z
    .array(z.object({ event: z.enum(eventNames), count: z.int() }))
    .describe("The number of events by name."),
  first_at: timestamp.nullable().describe("When the first event occurred."),
  last_at: timestamp.nullable().describe("When the last event occurred."),
  first: z
    .array(
      z.object({
        id: z.string(),
        event: z.enum(eventNames),
        order_id: z.string().nullable(),
        created_at: timestamp,
      }),
    )
    .describe("The first events, in order."),
});
export type ReplayPreview = z.infer<typeof replayPreviewSchema>;

export const replayResponseSchema = successEnvelope(replaySchema);
export const replayPreviewResponseSchema = successEnvelope(replayPreviewSchema);

export const listReplaysQuerySchema = z.object({
  endpoint_id: optionalFilter(64),
  cursor: cursorField,
  per_page: pageFields.per_page,
});
export const replayListResponseSchema = successEnvelope(
  z.object({ replays: z.array(replaySchema), next_cursor: nextCursor }),
);
export type ReplayList = z.infer<typeof replayListResponseSchema>["data"];
