import {
  type ConsoleMoney,
  type ConsoleView,
  consoleDoneResponseSchema,
  consoleViewResponseSchema,
  consoleViewsResponseSchema,
  type ViewedList,
} from "@tillgate/contract";
import type { z } from "zod";
import { ApiError } from "#internal-api.ts";
import { readAmount } from "./amounts";
import { requiredField } from "./forms";
import { type Action, done, type PageRequest } from "./request";

/** Count and sums of a list, across all pages. */
export type ListTotals = { count: number; sums: ConsoleMoney[]; partial: boolean };

const NO_TOTALS: ListTotals = { count: 0, sums: [], partial: false };

type Listed<Item> = {
  items: Item[];
  next: string | null;
  previous: string | null;
  partial: boolean;
  looked_to: string | null;
  totals: ListTotals;
};
export type ListProps<Item> = Listed<Item> & {
  /** Filters as typed. */
  filters: Record<string, string>;
  /** Filters as sent to the API, for exports. */
  apiFilters: Record<string, string>;
  views: ConsoleView[];
  /** Columns in the URL. */
  chosen: string[];
  /** Invalid filters. If there are any, the list is empty. */
  invalidFilters: string[];
};

const AMOUNT_FILTERS = ["min_amount", "max_amount"] as const;

/** Loads a list with the filters in the URL. @throws ApiError for any error other than an invalid filter; ApiUnreachable */
export async function loadList<Item>(
  { read, apiPath, queries, all, language }: PageRequest,
  name: ViewedList,
  schema: z.ZodType<{ data: Listed<Item> }>,
): Promise<ListProps<Item>> {
  const { columns: _, ...given } = queries();
  const entries = Object.entries(given).map(([field, value]) => [field, value.trim()] as const);
  const filters = Object.fromEntries(entries.filter(([, value]) => value !== ""));
  const chosen = all("columns").flatMap((names) => names.split(","));
  if (filters.currency) filters.currency = filters.currency.toUpperCase();
  const apiFilters = { ...filters };
  const invalidFilters: string[] = [];
  for (const name of AMOUNT_FILTERS) {
    const typed = filters[name];
    if (typed === undefined) continue;
    const read = readAmount(name, typed, { language, currency: filters.currency ?? null });
    if (typeof read === "string") apiFilters[name] = read;
    else invalidFilters.push(name);
  }
  const [listed, { views }] = await Promise.all([
    readListed(),
    read(apiPath("views"), consoleViewsResponseSchema, { list: name }),
  ]);
  return { ...listed, views, filters, apiFilters, chosen };

  async function readListed(): Promise<Listed<Item> & Pick<ListProps<Item>, "invalidFilters">> {
    const empty = {
      items: [],
      next: null,
      previous: null,
      partial: false,
      looked_to: null,
      totals: NO_TOTALS,
    };
    if (invalidFilters.length > 0) return { ...empty, invalidFilters };
    try {
      return { ...(await read(apiPath(name), schema, apiFilters)), invalidFilters: [] };
    } catch (error) {
      if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) throw error;
      return { ...empty, invalidFilters: Object.keys(error.fields) };
    }
  }
}

export const viewActions = (list: ViewedList): Record<string, Action> => ({
  "save-view": async ({ change, apiPath, consolePath }, form) => {
    const fields = { list, name: requiredField(form, "name"), query: requiredField(form, "query") };
    const { view } = await change(apiPath("views"), consoleViewResponseSchema, fields);
    return done(`${consolePath(list)}?${view.query}`, "view.saved");
  },
  "rename-view": async ({ change, apiPath, consolePath }, form) => {
    const path = apiPath("views", requiredField(form, "of"));
    const { view } = await change(path, consoleViewResponseSchema, {
      name: requiredField(form, "name"),
    });
    return done(`${consolePath(list)}?${view.query}`, "form.saved");
  },
  "remove-view": async ({ change, apiPath, consolePath }, form) => {
    await change(apiPath("views", requiredField(form, "of"), "remove"), consoleDoneResponseSchema);
    return done(consolePath(list), "view.removed");
  },
});
