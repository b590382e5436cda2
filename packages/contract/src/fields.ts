import { z } from "zod";
import { FieldRule, oneOfRule, wholeNumberRule } from "./errors/field-errors.js";
import { parseWebAddress } from "./parse-address.js";

/**
 * A JSON number that a binary float would alter, as its own text. In a request the body reader puts it in place of such a
 * number. An amount is then checked by its text, and any other field refuses it as no number. In an answer it is a sum of
 * more than 15 digits, written unchanged.
 */
export class NumberText {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/**
 * The fields that several requests share. A message is the second half of a sentence. The edge puts `The <field> field ` in
 * front of it, so that one text serves every field. `meta` is for the OpenAPI document: limits and defaults that a
 * refinement or a preprocessing step hides from JSON Schema.
 */

const needed = (expected: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? FieldRule.Required.text : expected;

/** Characters as people count them: a pair of surrogates is one. */
const characters = (text: string): number => [...text].length;

/** PostgreSQL stores neither NUL nor a lone surrogate, so both are refused instead of altered. */
export const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed();

/**
 * Text of 1 to `max` characters, not only spaces.
 * @param blank the message for a text of only spaces; "must not be blank" for an optional field.
 */
export const text = (max: number, blank = FieldRule.Required.text) =>
  z
    .string({ error: needed("must be text") })
    .refine((value) => value.trim() !== "", { error: blank, abort: true })
    .refine(isStorable, { error: "must not contain NUL or broken characters", abort: true })
    .refine((value) => characters(value) <= max, {
      error: `must not be longer than ${max} characters`,
    })
    .meta({ minLength: 1, maxLength: max });

/** Control characters, and those that turn the direction of a text around: a name with them could be read as another one. */
const MISLEADING = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
export const isDisplayable = (value: string): boolean => !MISLEADING.test(value);

/** A name that others are shown: {@link text} that reads as it is written. */
export const displayName = (max: number) =>
  text(max).refine(isDisplayable, { error: FieldRule.Displayable.text });

/** `null` and the empty text of an optional field mean that it is left out, for every kind of field. */
const leftOut = (value: unknown): unknown => (value === null || value === "" ? undefined : value);

/** The fields in which `null` and the empty text count as left out: the OpenAPI document says so for each. */
const emptiable = z.registry<{ emptiable: true }>();
export const isEmptiable = (schema: z.core.$ZodType): boolean => emptiable.get(schema)?.emptiable ?? false;

/** An optional field. */
export function optional<Field extends z.ZodType>(field: Field) {
  const schema = z.preprocess(leftOut, field.optional());
  emptiable.add(schema, { emptiable: true });
  return schema;
}

/** An optional field with a default. */
export function withDefault<Field extends z.ZodType>(field: Field, standard: z.output<Field>) {
  const schema = z.preprocess((value) => leftOut(value) ?? standard, field.meta({ default: standard }));
  emptiable.add(schema, { emptiable: true });
  return schema;
}

const NOT_BLANK = "must not be blank";

/** Optional text. */
export const optionalText = (max: number) => optional(text(max, NOT_BLANK));

/** Text to filter a list by. An empty filter is refused, for every kind of filter. */
export const optionalFilter = (max: number) =>
  z
    .string({ error: "must be given once" })
    .refine((value) => value.trim() !== "", { error: NOT_BLANK, abort: true })
    .refine(isStorable, { error: "must not contain NUL or broken characters", abort: true })
    .refine((value) => characters(value) <= max, { error: `must not be longer than ${max} characters` })
    .meta({ minLength: 1, maxLength: max })
    .optional();

const numberOrText = z.union([z.number(), z.string()], {
  error: needed("must be a number or a decimal text"),
});
const optionalNumberOrText = z
  .union([z.number(), z.string()], { error: "must be a number or a decimal text" })
  .optional();

/** A number is checked by its own text where a float would have altered it. */
const ownText = (value: unknown): unknown => (value instanceof NumberText ? value.text : value);

/** What an amount in a request must be. */
export const AMOUNT_RULE =
  "Above zero, with at most the currency's decimals, 15 significant digits and 10^13 minor units: a number or a decimal text without an exponent.";

/** An amount as sent: a JSON number or a decimal text. `@tillgate/money` reads it once the currency's digits are known. */
export const amount = z
  .preprocess<unknown, typeof numberOrText, number | string>(ownText, numberOrText)
  .describe(AMOUNT_RULE);

/** Like {@link amount}, for a request in which leaving it out has a meaning. There `null` is a wrong amount. */
export const optionalAmount = z.preprocess<unknown, typeof optionalNumberOrText, number | string | undefined>(
  ownText,
  optionalNumberOrText,
);

/** How a formatted amount is written. */
export const FORMATTED_AMOUNT = "Formatted with the currency's digits and its code.";

/** An uppercase ISO 4217 alpha-3 code. The operation decides whether the account may use it. */
export const currencyCode = z
  .string({ error: needed("must be text") })
  .regex(/^[A-Z]{3}$/, { error: "must be an uppercase ISO 4217 code" });

/** A parser drops some spaces and control characters and encodes others, so two readers would see two addresses. */
const hasSpaces = (value: string): boolean => /[\s\p{Cc}]/u.test(value);

const isWebAddress = (value: string): boolean => {
  const url = parseWebAddress(value);
  return url !== undefined && !hasSpaces(value) && url.username === "" && url.password === "";
};

/** The longest address; browsers and proxies cut longer ones. */
export const MAX_ADDRESS_LENGTH = 2048;

const addressOf = (blank?: string) =>
  text(MAX_ADDRESS_LENGTH, blank).refine(isWebAddress, { error: FieldRule.WebAddress.text });

/** An absolute http(s) address without credentials in it. */
export const webAddress = addressOf();

/** Like {@link webAddress}, for an optional field. */
export const optionalWebAddress = optional(addressOf(NOT_BLANK));

/** What an address that the shopper is sent to must be. */
export const RETURN_ADDRESS_RULE =
  "Absolute http or https address without credentials; its own query parameters are kept. https only in live mode.";

/** A whole number of seconds between two bounds, with a default. */
export const seconds = (min: number, max: number, standard: number) =>
  withDefault(
    z
      .int({ error: FieldRule.WholeSeconds.text })
      .min(min, { error: `must be at least ${min}` })
      .max(max, { error: `must not be greater than ${max}` }),
    standard,
  );

/** A whole number between two bounds, with a default. */
export const countOf = (min: number, max: number, standard: number) => {
  const { text: error } = wholeNumberRule(min, max);
  return withDefault(z.int({ error }).min(min, { error }).max(max, { error }), standard);
};

/** One of several words; it has to be given. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: needed(oneOfRule(words).text) });

/** The longest place in a list. */
export const MAX_CURSOR_LENGTH = 64;

/** A place in a list: the `next_cursor` of an earlier answer. Left out: from the newest. */
export const cursorField = z
  .string({ error: "must be given once" })
  .refine((value) => value !== "" && value.length <= MAX_CURSOR_LENGTH && isStorable(value), {
    error: FieldRule.EarlierCursor.text,
  })
  .optional();

/** The longest idempotency key. */
export const MAX_KEY_LENGTH = 64;

/** An idempotency key. An empty one is a caller's mistake and not "no key", so it is refused. */
export const idempotencyKey = text(MAX_KEY_LENGTH, NOT_BLANK)
  .nullish()
  .transform((key) => key ?? undefined)
  .optional()
  .describe(
    "Makes a repeat of this request safe: the same key answers the same resource as it is now, and nothing moves twice. Also read from the header Idempotency-Key; an empty key is refused.",
  );

/** The most keys of `metadata`, and the most characters of a key and of a value. */
export const MAX_METADATA = { keys: 20, key: 40, value: 500 } as const;

const entriesFit = (entries: Record<string, string>): boolean =>
  Object.entries(entries).every(([key, value]) => isStorable(key) && isStorable(value));

/** The caller's own texts by key, given back as they were sent. */
const texts = z
  .record(z.string(), z.string({ error: "must be text" }), { error: "must be an object of texts" })
  .refine((entries) => Object.keys(entries).length <= MAX_METADATA.keys, {
    error: `must not have more than ${MAX_METADATA.keys} keys`,
  })
  .refine(
    (entries) => Object.keys(entries).every((key) => key !== "" && characters(key) <= MAX_METADATA.key),
    { error: `must have keys of 1 to ${MAX_METADATA.key} characters` },
  )
  .refine((entries) => Object.values(entries).every((value) => characters(value) <= MAX_METADATA.value), {
    error: `must have values of at most ${MAX_METADATA.value} characters`,
  })
  .refine(entriesFit, { error: "must not contain NUL or broken characters" })
  .meta({ maxProperties: MAX_METADATA.keys });

/** Reading into an object would lose this key. */
const LOST_KEY = "__proto__";

export const metadata = optional(
  z.preprocess((value, context) => {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, LOST_KEY))
      context.addIssue({ code: "custom", message: `must not have the key ${LOST_KEY}` });
    return value;
  }, texts),
).describe(
  "Your own texts by key, given back as they were sent, in events too: up to 20 keys of 40 characters, values of 500.",
);

/** `metadata` in an answer: the sent value, or null. Rows from before this field have none. */
export const responseMetadata = z
  .record(z.string(), z.string())
  .nullable()
  .default(null)
  .describe("As sent; null where none was.");
/** `locale` in an answer. */
export const responseLocale = z
  .string()
  .nullable()
  .default(null)
  .describe("The language that was asked for; null where none was.");

/** The longest language tag. */
export const MAX_LOCALE_LENGTH = 35;

const isLanguageTag = (value: string): boolean => {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** A language tag of BCP 47, `fr` or `pt-BR`. */
export const optionalLocale = optional(
  text(MAX_LOCALE_LENGTH, NOT_BLANK).refine(isLanguageTag, {
    error: "must be a language tag (BCP 47), such as fr or pt-BR",
  }),
).describe("Language of page and receipt: a tag of BCP 47, `fr` or `pt-BR`.");

/** An ISO 8601 time as Tillgate writes it: whole seconds, `+00:00`. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  .meta({ format: "date-time" });

/** A time of a request, with its offset. */
export const moment = z
  .string({ error: needed(FieldRule.IsoTime.text) })
  .refine((value) => z.iso.datetime({ offset: true }).safeParse(value).success, {
    error: FieldRule.IsoTime.text,
    abort: true,
  })
  .meta({ format: "date-time" })
  .transform((value) => new Date(value));

/** The refusal of a range whose `to` is not behind its `from`. */
export const LATER_THAN_FROM = { error: FieldRule.LaterThanFrom.text, path: ["to"] };

/** PostgreSQL's calendar knows no year 0. */
const FIRST_DAY = "0001-01-01";

/** A whole day in a query: of UTC, in the console of the person's time zone. It is checked against the calendar. */
export const optionalDay = z
  .string({ error: FieldRule.RealDay.text })
  .regex(/^\d{4}-\d\d-\d\d$/, { error: FieldRule.RealDay.text, abort: true })
  .refine(
    (day) => {
      const date = new Date(`${day}T00:00:00Z`);
      return day >= FIRST_DAY && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
    },
    { error: FieldRule.RealDay.text },
  )
  .optional();

/** A whole number in a query, with a default. */
export const wholeNumber = (min: number, max: number, standard: number) =>
  z
    .string({ error: wholeNumberRule(min, max).text })
    .regex(/^\d{1,9}$/, { error: wholeNumberRule(min, max).text, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: wholeNumberRule(min, max).text,
    })
    .default(standard);

export const MAX_PAGE = 1_000_000;
export const MAX_PER_PAGE = 100;

/** What the console's lists say of a place that none of their answers gave. The API's lists have {@link FieldRule.EarlierCursor}. */
export const INVALID_CURSOR_TEXT = "must be a place of an earlier answer";

/** The query fields of every list. */
export const pageFields = {
  from_date: optionalDay,
  to_date: optionalDay,
  page: wholeNumber(1, MAX_PAGE, 1),
  per_page: wholeNumber(1, MAX_PER_PAGE, 20),
};

/**
 * The query of a list that is read by the numbers of its pages, or from a cursor: behind that nothing shifts when rows are added.
 * Filters are added by `safeExtend`, which keeps the rule.
 */
export const listQuerySchema = z
  .object({ ...pageFields, cursor: cursorField })
  .refine(({ cursor, page }) => cursor === undefined || page === 1, {
    path: ["cursor"],
    error: FieldRule.NotWithPage.text,
  });

export const paginationSchema = z.object({
  current_page: z.int().describe("This page, from 1."),
  per_page: z.int().describe("Entries a page."),
  total: z.int().describe("Entries on all pages."),
  last_page: z.int().describe("The last page; 1 when there is no entry."),
});
export type Pagination = z.infer<typeof paginationSchema>;
/** The pagination of a list that is also read from a cursor. */
export const nullablePagination = paginationSchema
  .nullable()
  .describe("Null behind a cursor: no pages are counted there.");

/** The position of the next page, next to the rows. */
export const nextCursor = z
  .string()
  .nullable()
  .describe("Give it as `cursor` for the next page; null on the last one.");

export const modeSchema = z.enum(["sandbox", "live"]);
export type Mode = z.infer<typeof modeSchema>;
