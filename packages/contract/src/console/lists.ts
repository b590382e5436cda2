import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import {
  currencyCode,
  INVALID_CURSOR_TEXT,
  isStorable,
  optionalDay,
  optionalFilter,
  pageFields,
  text,
  timestamp,
} from "../fields.js";

/** An exact amount of one currency: a decimal text with the currency's digits, negative for what was taken. */
export const consoleMoneySchema = z.object({
  amount: z.string().regex(/^-?\d+(\.\d+)?$/),
  currency: z.string(),
});
export type ConsoleMoney = z.infer<typeof consoleMoneySchema>;

/** Longer than any id, and any place of a statement. */
const MAX_PLACE = 100;
const place = z
  .string({ error: "must be given once" })
  .refine((value) => value !== "" && value.length <= MAX_PLACE && isStorable(value), {
    error: INVALID_CURSOR_TEXT,
  })
  .optional();

/** The longest text that is searched for: the longest e-mail address. */
export const MAX_SEARCH_LENGTH = 254;

const decimal = z
  .string({ error: "must be given once" })
  .regex(/^\d{1,13}(\.\d{1,4})?$/, { error: "must be a decimal number" })
  .optional();

/** The query of every list: newest first, where it is not sorted; `before` is the `next` of an earlier answer, `after` its `previous`. */
export const consolePageSchema = z.object({
  before: place,
  after: place,
  per_page: pageFields.per_page,
});

/** What a list is sorted by; `-`: downwards. Amounts are compared within their currency. Left out: newest first. */
export const listSortSchema = z.enum(["-created_at", "created_at", "-amount", "amount"], {
  error: "must be created_at or amount, with or without a - in front",
});
export type ListSort = z.infer<typeof listSortSchema>;

/** By amount, so many of the newest rows that the status and the days leave are sorted. */
export const MAX_SORTED_ROWS = 20_000;

/** Filters of the lists of orders, refunds and payouts; `from` and `to` are days of the person's time zone, both included. */
export const consoleFilterFields = {
  currency: currencyCode.optional(),
  /** In units of each row's own currency. */
  min_amount: decimal,
  max_amount: decimal,
  from: optionalDay,
  to: optionalDay,
  /** An id, a reference, an order number, words of them or of a description, a terminal, an amount, or the payer's or recipient's e-mail, phone or words of the name. */
  q: optionalFilter(MAX_SEARCH_LENGTH),
  sort: listSortSchema.optional(),
};

/** A page of a list, newest first. */
export const consoleList = <Item extends z.ZodType>(item: Item) =>
  successEnvelope(
    z.object({
      items: z.array(item),
      /** For `before`: the page of older rows; null: there are none. */
      next: z.string().nullable(),
      /** For `after`: the page of newer rows; null: there are none. */
      previous: z.string().nullable(),
      /**
       * Whether the look ended at its limit of rows before the page was full. Rarer rows may follow: `next` goes on. By amount:
       * whether older rows were left out of the sorted ones.
       */
      partial: z.boolean(),
      /** When the last row that was looked at was made, where the answer is partial. */
      looked_to: timestamp.nullable(),
      /** Of all rows on all pages. `partial`: of those among the newest 20,000 that a filter is compared with; there may be more. */
      totals: z.object({
        count: z.int(),
        /** The amounts, of payouts without their fees, by currency. */
        sums: z.array(consoleMoneySchema),
        partial: z.boolean(),
      }),
    }),
  );

/** `GET …/search`: an id, a reference, an order number, a terminal, an amount, an address, a name, an e-mail or a phone. */
export const consoleSearchQuerySchema = z.object({ q: text(MAX_SEARCH_LENGTH) });

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
export type ConsoleSearchResponse = z.infer<typeof answerSchema>;

/** Exact ids first, then the newest of each kind. */
export const consoleSearchResponseSchema = successEnvelope(answerSchema);
