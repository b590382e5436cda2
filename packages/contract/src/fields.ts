import { z } from "zod";
import { FieldRule, oneOfRule, wholeNumberRule } from "./errors/field-errors.js";
import { parseWebAddress } from "./parse-address.js";

/**
 * The source text of a JSON number that a binary float cannot represent exactly. In requests, only amounts accept it. In a response, it is a sum of
 * more than 15 digits, written unchanged.
 */
export class NumberText {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

// `meta` supplies the OpenAPI document with limits and defaults that a refinement or a preprocessing step hides from JSON Schema.

/**
 * Returns a field's error message: `FieldRule.Required` if it is missing or null, otherwise `expected`. The HTTP layer prepends
 * `The <field> field `.
 */
export const requiredOr = (expected: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? FieldRule.Required.text : expected;

/** Counts code points, not UTF-16 units. */
const countCharacters = (text: string): number => [...text].length;
/** Counts code points only if there are more UTF-16 units, since text never has fewer units than code points. */
const isWithin = (text: string, max: number): boolean => text.length <= max || countCharacters(text) <= max;

/** PostgreSQL stores neither NUL characters nor lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed();

/** Accepts non-blank text of 1 to `max` characters. @param blank the message for blank text; "must not be blank" for an optional field. */
export const text = (max: number, blank = FieldRule.Required.text) =>
  z
    .string({ error: requiredOr("must be text") })
    .refine((value) => value.trim() !== "", { error: blank, abort: true })
    .refine(isStorable, { error: "must not contain NUL characters or invalid Unicode", abort: true })
    .refine((value) => isWithin(value, max), {
      error: `must not be longer than ${max} characters`,
    })
    .meta({ minLength: 1, maxLength: max });

/** These characters could make a name look like a different name. */
const MISLEADING = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
export const isDisplayable = (value: string): boolean => !MISLEADING.test(value);

/** Accepts a name shown to other people: {@link text} without misleading characters. */
export const displayName = (max: number) =>
  text(max).refine(isDisplayable, { error: FieldRule.Displayable.text });

const emptyToUndefined = (value: unknown): unknown => (value === null || value === "" ? undefined : value);

/** The OpenAPI document states for each of these fields that `null` and the empty string count as absent. */
const emptiable = z.registry<{ emptiable: true }>();
export const isEmptiable = (schema: z.core.$ZodType): boolean => emptiable.get(schema)?.emptiable ?? false;

/** Makes a field optional: `null` and the empty string count as absent. */
export function optional<Field extends z.ZodType>(field: Field) {
  const schema = z.preprocess<unknown, z.ZodOptional<Field>, z.input<Field> | null | undefined>(
    emptyToUndefined,
    field.optional(),
  );
  emptiable.add(schema, { emptiable: true });
  return schema;
}

/** Adds a default, which also replaces `null` and the empty string. */
export function withDefault<Field extends z.ZodType>(field: Field, standard: z.output<Field>) {
  const schema = z.preprocess(
    (value) => emptyToUndefined(value) ?? standard,
    field.meta({ default: standard }),
  );
  emptiable.add(schema, { emptiable: true });
  return schema;
}

const NOT_BLANK = "must not be blank";

export const optionalText = (max: number) => optional(text(max, NOT_BLANK));

/** Unlike {@link optionalText}, this schema rejects the empty string. */
export const optionalFilter = (max: number) =>
  z
    .string({ error: "must be given once" })
    .refine((value) => value.trim() !== "", { error: NOT_BLANK, abort: true })
    .refine(isStorable, { error: "must not contain NUL characters or invalid Unicode", abort: true })
    .refine((value) => isWithin(value, max), { error: `must not be longer than ${max} characters` })
    .meta({ minLength: 1, maxLength: max })
    .optional();

const numberOrText = z.union([z.number(), z.string()], {
  error: requiredOr("must be a number or a decimal text"),
});
const optionalNumberOrText = z
  .union([z.number(), z.string()], { error: "must be a number or a decimal text" })
  .optional();

const toSourceText = (value: unknown): unknown => (value instanceof NumberText ? value.text : value);

export const AMOUNT_RULE =
  "A positive number or decimal string (no exponent), with at most the currency's decimals, 15 significant digits and 10^13 minor units.";

/** `@tillgate/money` parses the amount once the currency's decimal places are known. */
export const amount = z
  .preprocess<unknown, typeof numberOrText, number | string>(toSourceText, numberOrText)
  .describe(AMOUNT_RULE);

/** Used if omitting the amount has a meaning. `null` is then an invalid amount. */
export const optionalAmount = z.preprocess<unknown, typeof optionalNumberOrText, number | string | undefined>(
  toSourceText,
  optionalNumberOrText,
);

export const FORMATTED_AMOUNT = "Formatted with the currency's decimals and code, such as `41.50 EUR`.";
/** ISO 4217 alpha-3. The operation checks whether the account may use it. */
export const currencyCode = z
  .string({ error: requiredOr("must be text") })
  .regex(/^[A-Z]{3}$/, { error: "must be an uppercase ISO 4217 code" });

/** Parsers drop some spaces and control characters and encode others, so two parsers could see different URLs. */
const hasSpaces = (value: string): boolean => /[\s\p{Cc}]/u.test(value);

const isWebAddress = (value: string): boolean => {
  const url = parseWebAddress(value);
  return url !== undefined && !hasSpaces(value) && url.username === "" && url.password === "";
};

/** Browsers and proxies truncate longer URLs. */
export const MAX_ADDRESS_LENGTH = 2048;
/** The limit of a URL that is stored in many rows. */
export const MAX_SHORT_ADDRESS_LENGTH = 500;

const webAddressField = (blank?: string) =>
  text(MAX_ADDRESS_LENGTH, blank).refine(isWebAddress, { error: FieldRule.WebAddress.text });

/** An absolute http(s) URL without credentials. */
export const webAddress = webAddressField();

export const optionalWebAddress = optional(webAddressField(NOT_BLANK));

/** A URL that is stored in many rows, and therefore limited to fewer characters. */
export const optionalShortWebAddress = optional(
  text(MAX_SHORT_ADDRESS_LENGTH, NOT_BLANK).refine(isWebAddress, { error: FieldRule.WebAddress.text }),
);

export const RETURN_ADDRESS_RULE =
  "Absolute http or https URL without credentials; existing query parameters are preserved. https only in live mode.";

/** The bounds are inclusive. */
export const seconds = (min: number, max: number, standard: number) =>
  withDefault(
    z
      .int({ error: FieldRule.WholeSeconds.text })
      .min(min, { error: `must be at least ${min}` })
      .max(max, { error: `must not be greater than ${max}` }),
    standard,
  );

/** The bounds are inclusive. */
export const integerInRange = (min: number, max: number, standard: number) => {
  const { text: error } = wholeNumberRule(min, max);
  return withDefault(z.int({ error }).min(min, { error }).max(max, { error }), standard);
};

export const oneOf = <const Words extends readonly [string, ...string[]]>(values: Words) =>
  z.enum(values, { error: requiredOr(oneOfRule(values).text) });

export const booleanField = z.boolean({ error: requiredOr("must be true or false") });

/** A list that is too long is rejected before its entries are validated. */
export const boundedList = <Entry extends z.ZodType>(entry: Entry, max: number) =>
  z.preprocess<unknown, z.ZodArray<Entry>, z.input<Entry>[]>(
    (value, context) => {
      if (Array.isArray(value) && value.length > max)
        context.addIssue({ code: "custom", message: `must not have more than ${max} entries` });
      return value;
    },
    z.array(entry, { error: requiredOr("must be a list") }).meta({ maxItems: max }),
  );

export const MAX_CURSOR_LENGTH = 64;

/** The `next_cursor` of the previous page; absent for the first page. */
export const cursorField = z
  .string({ error: "must be given once" })
  .refine((value) => value !== "" && value.length <= MAX_CURSOR_LENGTH && isStorable(value), {
    error: FieldRule.EarlierCursor.text,
  })
  .optional();

export const MAX_KEY_LENGTH = 64;

/** Rejects an empty key, which is a bug in the caller. */
export const idempotencyKey = text(MAX_KEY_LENGTH, NOT_BLANK)
  .nullish()
  .transform((key) => key ?? undefined)
  .optional()
  .describe(
    "Makes retries safe: a repeat with the same key returns the same resource in its current state, and no money moves again. Also accepted in the `Idempotency-Key` header. An empty key is rejected.",
  );

/** Number of keys, and characters per key and value. */
export const MAX_METADATA = { keys: 20, key: 40, value: 500 } as const;

const entriesFit = (entries: Record<string, string>): boolean =>
  Object.entries(entries).every(([key, value]) => isStorable(key) && isStorable(value));

const texts = z
  .record(z.string(), z.string({ error: "must be text" }), { error: "must be an object with text values" })
  .refine((entries) => Object.keys(entries).length <= MAX_METADATA.keys, {
    error: `must not have more than ${MAX_METADATA.keys} keys`,
  })
  .refine(
    (entries) => Object.keys(entries).every((key) => key !== "" && countCharacters(key) <= MAX_METADATA.key),
    { error: `must have keys of 1 to ${MAX_METADATA.key} characters` },
  )
  .refine(
    (entries) => Object.values(entries).every((value) => countCharacters(value) <= MAX_METADATA.value),
    {
      error: `must have values of at most ${MAX_METADATA.value} characters`,
    },
  )
  .refine(entriesFit, { error: "must not contain NUL characters or invalid Unicode" })
  .meta({ maxProperties: MAX_METADATA.keys });

/** Assigning this key to an object would lose it. */
const LOST_KEY = "__proto__";

export const metadata = optional(
  z.preprocess((value, context) => {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, LOST_KEY))
      context.addIssue({ code: "custom", message: `must not have the key ${LOST_KEY}` });
    return value;
  }, texts),
).describe(
  "Your own key-value pairs, returned unchanged in responses and events: up to 20 keys of up to 40 characters, with string values of up to 500.",
);

/** Null for resources created before the field existed. */
export const responseMetadata = z
  .record(z.string(), z.string())
  .nullable()
  .default(null)
  .describe("As sent; null if none was.");
export const responseLocale = z
  .string()
  .nullable()
  .default(null)
  .describe("The requested language; null if none was.");

export const MAX_LOCALE_LENGTH = 35;

const isLanguageTag = (value: string): boolean => {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

export const optionalLocale = optional(
  text(MAX_LOCALE_LENGTH, NOT_BLANK).refine(isLanguageTag, {
    error: "must be a language tag (BCP 47), such as fr or pt-BR",
  }),
).describe("Language of the payment page and receipt, as a BCP 47 tag: `fr`, `pt-BR`.");

/** Format in a response: whole seconds, offset `+00:00`. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  .meta({ format: "date-time" });

/** Format in a request: any offset. */
export const moment = z
  .string({ error: requiredOr(FieldRule.IsoTime.text) })
  .refine((value) => z.iso.datetime({ offset: true }).safeParse(value).success, {
    error: FieldRule.IsoTime.text,
    abort: true,
  })
  .meta({ format: "date-time" })
  .transform((value) => new Date(value));

/** The error of a range whose `to` is not after its `from`. */
export const LATER_THAN_FROM = { error: FieldRule.LaterThanFrom.text, path: ["to"] };

/** PostgreSQL's calendar has no year 0. */
const FIRST_DAY = "0001-01-01";

/** A day in UTC, or in the user's time zone in the console. */
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

/** `comma`: a point before decimals; `semicolon`: a comma before decimals. For CSV only. */
const csvDialectSchema = z.enum(["comma", "semicolon"], { error: oneOfRule(["comma", "semicolon"]).text });
export type CsvDialect = z.infer<typeof csvDialectSchema>;
export const CSV_DIALECTS = csvDialectSchema.options;
export const csvDialect = csvDialectSchema.default("comma");

/** An omitted day means no limit. */
export const isDayRange = (first: string | undefined, last: string | undefined): boolean =>
  first === undefined || last === undefined || first <= last;

/** Accepts a whole number in a query, with a default. */
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

/** The console's error for an invalid cursor. The API's lists use {@link FieldRule.EarlierCursor}. */
export const INVALID_CURSOR_TEXT = "must be a cursor from an earlier response";

export const pageFields = {
  from_date: optionalDay,
  to_date: optionalDay,
  page: wholeNumber(1, MAX_PAGE, 1),
  per_page: wholeNumber(1, MAX_PER_PAGE, 20),
};

/** With a cursor, new rows do not shift later pages. Add filters with `safeExtend`, which preserves the refinement. */
export const listQuerySchema = z
  .object({ ...pageFields, cursor: cursorField })
  .refine(({ cursor, page }) => cursor === undefined || page === 1, {
    path: ["cursor"],
    error: FieldRule.NotWithPage.text,
  });

export const paginationSchema = z.object({
  current_page: z.int().describe("The current page, starting at 1."),
  per_page: z.int().describe("Number of entries per page."),
  total: z.int().describe("Total number of entries."),
  last_page: z.int().describe("The last page; 1 if there are no entries."),
});
export type Pagination = z.infer<typeof paginationSchema>;
/** The pagination of a list that also supports cursors. */
export const nullablePagination = paginationSchema.nullable().describe("Null if a cursor was used.");

export const nextCursor = z
  .string()
  .nullable()
  .describe("The `cursor` of the next page; null on the last page.");

export const modeSchema = z.enum(["sandbox", "live"]);
export type Mode = z.infer<typeof modeSchema>;
