import { z } from "zod";
import { successEnvelope } from "./envelope.js";
import { orderEventNames, payoutEventNames, refundEventNames } from "./events.js";
import { pageFields, timestamp, webAddress, wholeNumber } from "./fields.js";
import { FieldRule } from "./refusals/field-rules.js";

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
