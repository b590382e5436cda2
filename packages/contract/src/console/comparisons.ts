import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { optionalFilter, pageFields, timestamp } from "../fields.js";

export const consoleShopSchema = z.object({
  shop_id: z.string(),
  /** Address of the shop's site, with the start of the site's ID if two shops share an address; null if its calls do not name a site. */
  name: z.string().nullable(),
  /** As in `Tillgate-Site`. */
  site: z.string().nullable(),
  /** Name or client ID of the API key that the shop last used. */
  key: z.string(),
  /** Start of the current or last run. */
  started_at: timestamp,
  /** End of the last completed run; null if there was none. */
  completed_at: timestamp.nullable(),
  running: z.boolean(),
  /** Orders of the current or last run. */
  compared: z.int(),
  skipped: z.int(),
  /** Whether no run has been completed for two days although the key still works. */
  overdue: z.boolean(),
  differences: z.int(),
});
export type ConsoleShop = z.infer<typeof consoleShopSchema>;

/** `GET …/reports/shops` */
export const consoleShopsResponseSchema = successEnvelope(z.object({ shops: z.array(consoleShopSchema) }));

/** Texts are in the language of the query. */
export const consoleDifferenceSchema = z.object({
  difference_id: z.string(),
  /** `known` is false if Tillgate has no order with this ID. */
  order_id: z.string(),
  known: z.boolean(),
  order_number: z.string(),
  /** An http or https URL in the shop. */
  order_url: z.string().nullable(),
  text: z.string(),
  /** What to do about the difference. `repair`: the label of the button in the shop that repairs the difference. */
  advice: z.string(),
  repair: z.string().nullable(),
  found_at: timestamp,
});
export type ConsoleDifference = z.infer<typeof consoleDifferenceSchema>;

const comparisonLanguageSchema = z.enum(["en", "fr"]);
export type ComparisonLanguage = z.infer<typeof comparisonLanguageSchema>;

/** A cursor is the encoded key of a difference. */
const MAX_CURSOR_LENGTH = 1_200;

/** `GET …/reports/shops/{shop}`: differences of the newest orders first; `before` is the `next` of the previous page. */
export const consoleShopQuerySchema = z.object({
  before: optionalFilter(MAX_CURSOR_LENGTH),
  per_page: pageFields.per_page,
  language: comparisonLanguageSchema.default("en"),
});
export const consoleShopResponseSchema = successEnvelope(
  z.object({
    shop: consoleShopSchema,
    differences: z.array(consoleDifferenceSchema),
    next: z.string().nullable(),
  }),
);
