import { z } from "zod";
import { consolePageSchema } from "./console-lists.js";
import { successEnvelope } from "./envelope.js";
import { modeSchema, optionalFilter, timestamp } from "./fields.js";
import { oneOfRule } from "./refusals/field-rules.js";

const STATUS_CLASSES = ["2xx", "4xx", "5xx"] as const;
const METHODS = ["GET", "POST"] as const;
const MAX_PATH = 200;
const MAX_REQUEST_ID = 64;

/** `GET …/requests`: calls of the Pay and Partner API, newest first. */
export const consoleRequestsQuerySchema = consolePageSchema.omit({ after: true }).extend({
  status: z.enum(STATUS_CLASSES, { error: oneOfRule(STATUS_CLASSES).text }).optional(),
  method: z.enum(METHODS, { error: oneOfRule(METHODS).text }).optional(),
  /** A part of the path. */
  path: optionalFilter(MAX_PATH),
  credential: z.uuid({ error: "must be the id of a credential" }).optional(),
  request_id: optionalFilter(MAX_REQUEST_ID),
  /** The id of an order, refund or payout. */
  about: optionalFilter(MAX_REQUEST_ID),
});
export type ConsoleRequestsQuery = z.output<typeof consoleRequestsQuerySchema>;

/** A call, or a gap: so many calls were not kept, because they came faster than they could be written. */
export const consoleRequestSchema = z.object({
  entry_id: z.string(),
  at: timestamp,
  dropped: z.int(),
  request_id: z.string().nullable(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  status: z.int().nullable(),
  error_code: z.string().nullable(),
  duration_ms: z.int().nullable(),
  credential_id: z.string().nullable(),
  client_id: z.string().nullable(),
  client_address: z.string().nullable(),
});
export type ConsoleRequest = z.infer<typeof consoleRequestSchema>;

export const consoleRequestListAnswerSchema = successEnvelope(
  z.object({ items: z.array(consoleRequestSchema), next: z.string().nullable(), partial: z.boolean() }),
);
/** `GET …/requests/{request}`. */
export const consoleRequestAnswerSchema = successEnvelope(
  consoleRequestSchema.extend({
    mode: modeSchema,
    /** The order, refund or payout that it made, changed or read. */
    about: z.string().nullable(),
    /** As JSON, with secrets, tokens and what names a person masked; null for reads. */
    request_body: z.string().nullable(),
    answer_body: z.string().nullable(),
  }),
);
