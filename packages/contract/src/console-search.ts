import { z } from "zod";
import { consoleMoneySchema, MAX_SEARCH } from "./console-lists.js";
import { successEnvelope } from "./envelope.js";
import { text, timestamp } from "./fields.js";

/** `GET …/search`: an id, a reference, an order number, a terminal, an amount, an address, a name, an e-mail or a phone. */
export const consoleSearchQuerySchema = z.object({ q: text(MAX_SEARCH) });

export const consoleSearchHitSchema = z.object({
  kind: z.enum([
    ...["order", "refund", "payout", "event", "delivery", "endpoint", "credential"],
    // A call of the API, by its `X-Request-Id`, and a file of payouts.
    ...["request", "link", "till", "batch"],
  ] as const),
  /** For the page of its kind. */
  id: z.string(),
  /** Whether it is what was searched for by its own id: a single such hit is where a pasted id leads. */
  exact: z.boolean(),
  /** A reference, a name of an event, an address or a client id. */
  title: z.string().nullable(),
  status: z.string().nullable(),
  money: consoleMoneySchema.nullable(),
  at: timestamp,
});
export type ConsoleSearchHit = z.infer<typeof consoleSearchHitSchema>;

const answerSchema = z.object({
  hits: z.array(consoleSearchHitSchema),
  /** The kinds of which there are more than these hits: their list shows all of them, by the same `q`. */
  more: z.array(z.enum(["order", "refund", "payout"])),
});
export type ConsoleSearchAnswer = z.infer<typeof answerSchema>;

/** Exact ids first, then the newest of each kind. */
export const consoleSearchAnswerSchema = successEnvelope(answerSchema);
