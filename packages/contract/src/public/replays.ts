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
import { chosenEvents, eventNames } from "./webhooks.js";

/** Events of a range sent again, in order, to one endpoint or address. */

const range = {
  endpoint_id: optionalText(64),
  callback_url: optionalWebAddress,
  from: optional(moment),
  to: optional(moment),
  events: optional(chosenEvents),
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
    skip_failed: optional(z.boolean({ error: "must be true or false" })),
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
  replay_id: z.uuid(),
  endpoint_id: z.uuid().nullable(),
  callback_url: z.string().nullable(),
  from: timestamp,
  to: timestamp,
  events: z.array(z.enum(eventNames)),
  skip_failed: z.boolean(),
  state: replayStateSchema,
  total: z.int(),
  sent: z.int(),
  failed: z.int(),
  cursor: z.string().nullable(),
  event_id: z.string().nullable(),
  delivery_id: z.uuid().nullable(),
  created_at: timestamp,
  ended_at: timestamp.nullable(),
});
export type Replay = z.infer<typeof replaySchema>;

export const replayPreviewSchema = z.object({
  total: z.int(),
  /** Whether there are more than one replay has. */
  more: z.boolean(),
  by_event: z.array(z.object({ event: z.enum(eventNames), count: z.int() })),
  first_at: timestamp.nullable(),
  last_at: timestamp.nullable(),
  first: z.array(
    z.object({
      id: z.string(),
      event: z.enum(eventNames),
      order_id: z.string().nullable(),
      created_at: timestamp,
    }),
  ),
});
export type ReplayPreview = z.infer<typeof replayPreviewSchema>;

export const replayAnswerSchema = successEnvelope(replaySchema);
export const replayPreviewAnswerSchema = successEnvelope(replayPreviewSchema);

export const listReplaysQuerySchema = z.object({
  endpoint_id: optionalFilter(64),
  cursor: cursorField,
  per_page: pageFields.per_page,
});
export const replayListAnswerSchema = successEnvelope(
  z.object({ replays: z.array(replaySchema), next_cursor: nextCursor }),
);
export type ReplayList = z.infer<typeof replayListAnswerSchema>["data"];
