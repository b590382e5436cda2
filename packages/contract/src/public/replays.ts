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

/** Events of a range sent again, in order, to one endpoint or address. */

const range = {
  endpoint_id: optionalText(64).describe("The endpoint, signed with its own secret."),
  callback_url: optionalWebAddress.describe(
    "An address, signed as an order's callback_url with the calling client's secret. https only in live mode; never an address inside a private network.",
  ),
  from: optional(moment).describe("Events of this time on. Left out: from the oldest that is kept."),
  to: optional(moment).describe("Events before this time. Left out: up to now."),
  events: optional(subscribedEvents).describe(
    "The names of events. Left out: those that the endpoint chose; for an address all.",
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
      "Go on with the next event when an attempt fails; the failed one is tried again by the schedule, out of order. Left out: wait for it.",
    ),
    idempotency_key: idempotencyKey,
  })
  .refine(hasTarget, NO_TARGET)
  .refine(hasOneTarget, TWO_TARGETS)
  .refine(isRange, LATER_THAN_FROM);
export type CreateReplayRequest = z.output<typeof createReplayRequestSchema>;

/** `stopped`: the delivery of an event was given up. It goes on with that event when it is resumed. */
export const replayStateSchema = z.enum(["running", "stopped", "completed", "cancelled"]);
export type ReplayState = z.infer<typeof replayStateSchema>;

export const replaySchema = z.object({
  replay_id: z.uuid().describe("Identifies the replay."),
  endpoint_id: z.uuid().nullable().describe("The endpoint that gets them; null where an address does."),
  callback_url: z.string().nullable().describe("The address that gets them; null where an endpoint does."),
  from: timestamp.describe("Events of this time on."),
  to: timestamp.describe("And before this one."),
  events: z.array(z.enum(eventNames)).describe("The names of the events that it sends."),
  skip_failed: z.boolean().describe("Whether it goes on with the next event when an attempt fails."),
  state: replayStateSchema.describe(
    "`running`; `stopped`: a delivery was given up, and resuming goes on with that event; `completed`; `cancelled`.",
  ),
  total: z.int().describe("How many events it had when it was begun."),
  sent: z.int().describe("How many have arrived."),
  failed: z.int().describe("How many it has passed over."),
  cursor: z
    .string()
    .nullable()
    .describe(
      "The place of the last event that arrived or was passed over, as `GET /events` takes it as `after`; null before the first.",
    ),
  event_id: z.string().nullable().describe("The event that is under way; null where none is."),
  delivery_id: z.uuid().nullable().describe("Its delivery."),
  created_at: timestamp.describe("When it was begun."),
  ended_at: timestamp.nullable().describe("When it was completed or cancelled."),
});
export type Replay = z.infer<typeof replaySchema>;

export const replayPreviewSchema = z.object({
  total: z.int().describe("How many events."),
  /** Whether there are more than one replay has. */
  more: z.boolean().describe("Whether there are more than were counted: more than one replay sends."),
  by_event: z
    .array(z.object({ event: z.enum(eventNames), count: z.int() }))
    .describe("How many of each name."),
  first_at: timestamp.nullable().describe("When the first of them happened."),
  last_at: timestamp.nullable().describe("When the last of them happened."),
  first: z
    .array(
      z.object({
        id: z.string(),
        event: z.enum(eventNames),
        order_id: z.string().nullable(),
        created_at: timestamp,
      }),
    )
    .describe("The first of them, in order."),
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
