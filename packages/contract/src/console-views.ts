import { z } from "zod";
import { EXPORT_QUERIES } from "./console-exports.js";
import { successEnvelope } from "./envelope.js";
import { displayName, text } from "./fields.js";

/** The lists of the console that a view may be saved of. */
export const viewedListSchema = z.enum(["orders", "refunds", "payouts"], {
  error: "must be orders, refunds or payouts",
});
export type ViewedList = z.infer<typeof viewedListSchema>;

/** What a view keeps: filters and columns, never a page. */
const VIEW_QUERIES = {
  orders: EXPORT_QUERIES.order,
  refunds: EXPORT_QUERIES.refund,
  payouts: EXPORT_QUERIES.payout,
} as const;

/**
 * The query of a list in the one form that is kept and compared: known fields in their own order, none of them empty.
 * @returns undefined for one that the list would refuse.
 */
export function viewQuery(list: ViewedList, text: string): string | undefined {
  const given = new URLSearchParams(text);
  const names = Object.keys(VIEW_QUERIES[list].shape);
  const fields = Object.fromEntries(
    names.map((name) => [name, given.get(name)?.trim() ?? ""]).filter(([, value]) => value !== ""),
  );
  const isRight = VIEW_QUERIES[list].safeParse(fields).success;
  return isRight ? new URLSearchParams(fields).toString() : undefined;
}

/** The longest query of a view. */
const MAX_QUERY = 4_000;

export const consoleViewSchema = z.object({
  view_id: z.string(),
  name: z.string(),
  /** As {@link viewQuery} writes it. */
  query: z.string(),
});
export type ConsoleView = z.infer<typeof consoleViewSchema>;

/** `GET …/views?list=orders`: the user's own, oldest first. */
export const consoleViewsQuerySchema = z.object({ list: viewedListSchema });
export const consoleViewsAnswerSchema = successEnvelope(z.object({ views: z.array(consoleViewSchema) }));

const viewName = displayName(60).transform((name) => name.trim());

/** `POST …/views`: the same name and query again are the view that is there. */
export const consoleViewRequestSchema = z.object({
  list: viewedListSchema,
  name: viewName,
  query: text(MAX_QUERY),
});

/** `POST …/views/{view}`. */
export const consoleViewChangeSchema = z.object({ name: viewName });

/** The answer to both. */
export const consoleViewAnswerSchema = successEnvelope(z.object({ view: consoleViewSchema }));
