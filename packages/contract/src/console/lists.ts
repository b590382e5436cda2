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

/** Decimal text with the currency's decimal places, negative for debits. */
export const consoleMoneySchema = z.object({
  amount: z.string().regex(/^-?\d+(\.\d+)?$/),
  currency: z.string(),
});
export type ConsoleMoney = z.infer<typeof consoleMoneySchema>;

/** Longer than any ID or statement cursor. */
const MAX_CURSOR_LENGTH = 100;
const cursor = z
  .string({ error: "must be given once" })
  .refine((value) => value !== "" && value.length <= MAX_CURSOR_LENGTH && isStorable(value), {
    error: INVALID_CURSOR_TEXT,
  })
  .optional();

/** The limit of an e-mail address. */
export const MAX_SEARCH_LENGTH = 254;

const decimal = z
  .string({ error: "must be given once" })
  .regex(/^\d{1,13}(\.\d{1,4})?$/, { error: "must be a decimal number" })
  .optional();

/** The query of every list: newest first by default; `before` takes the `next` of a page, `after` its `previous`. */
export const consolePageSchema = z.object({
  before: cursor,
  after: cursor,
  per_page: pageFields.per_page,
});

/** `-` is descending. Amounts sort within their currency. Default: newest first. */
export const listSortSchema = z.enum(["-created_at", "created_at", "-amount", "amount"], {
  error: "must be created_at or amount, with or without a - in front",
});
export type ListSort = z.infer<typeof listSortSchema>;

/** Sorting by amount covers this many of the newest rows that match status and days. */
export const MAX_SORTED_ROWS = 20_000;

/** `from` and `to` are inclusive days in the user's time zone. */
export const consoleFilterFields = {
  currency: currencyCode.optional(),
  /** Amounts are in the currency of each item. */
  min_amount: decimal,
  max_amount: decimal,
  from: optionalDay,
  to: optionalDay,
  /** Matches IDs, references, order numbers, descriptions, terminals, amounts, and the payer's or recipient's e-mail, phone or name. */
  q: optionalFilter(MAX_SEARCH_LENGTH),
  sort: listSortSchema.optional(),
};

export const consoleListSchema = <Item extends z.ZodType>(item: Item) =>
  successEnvelope(
    z.object({
      items: z.array(item),
      /** Cursor for `before`; null on the last page. */
      next: z.string().nullable(),
      /** Cursor for `after`; null on the first page. */
      previous: z.string().nullable(),
      /** Whether the scan hit its row limit before the page was full; `next` continues it. If sorted by amount: whether older rows were left out. */
      partial: z.boolean(),
      /** Creation time of the last scanned row, if partial. */
      looked_to: timestamp.nullable(),
      /** Totals of all pages. `partial`: they may not include every match. */
      totals: z.object({
        count: z.int(),
        /** Sums by currency; payouts without fees. */
        sums: z.array(consoleMoneySchema),
        partial: z.boolean(),
      }),
    }),
  );

/** `GET …/search`: an ID, a reference, an order number, a terminal, an amount, a URL, a name, an e-mail address or a phone number. */
export const consoleSearchQuerySchema = z.object({ q: text(MAX_SEARCH_LENGTH) });

export const consoleSearchHitSchema = z.object({
  kind: z.enum([
    ...["order", "refund", "payout", "event", "delivery", "endpoint", "credential"],
    // An API call by its `X-Request-Id`, and a bulk payout file.
    ...["request", "link", "till", "batch"],
  ] as const),
  /** The ID in the path of the object's page. */
  id: z.string(),
  /** Whether the object matches exactly, such as by its ID. A single exact hit opens directly. */
  exact: z.boolean(),
  /** A reference, the name of an event, a URL or a client ID. */
  title: z.string().nullable(),
  status: z.string().nullable(),
  money: consoleMoneySchema.nullable(),
  at: timestamp,
});
export type ConsoleSearchHit = z.infer<typeof consoleSearchHitSchema>;

const answerSchema = z.object({
  hits: z.array(consoleSearchHitSchema),
  /** The lists of these kinds show all hits with the same `q`. */
  more: z.array(z.enum(["order", "refund", "payout"])),
});
export type ConsoleSearchResponse = z.infer<typeof answerSchema>;

/** Exact IDs first, then the newest of each kind. */
export const consoleSearchResponseSchema = successEnvelope(answerSchema);
