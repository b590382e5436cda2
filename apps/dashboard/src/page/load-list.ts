import type { z } from "zod";
import { EdgeRefusal, read } from "../edge/console-edge";
import type { PageRequest } from "./request";

type Listed<Item> = { items: Item[]; next: string | null; previous: string | null; partial: boolean };
export type ListProps<Item> = Listed<Item> & {
  filters: Record<string, string>;
  /** The names of columns in the address, as they are given. */
  chosen: string[];
  /** The filters that the api refused; then the list is empty. */
  wrong: string[];
};

/** Reads a list with the filters of the address. An empty field of the filters' form is no filter. */
export async function loadList<Item>(
  { caller, place, queries, all }: PageRequest,
  name: string,
  schema: z.ZodType<{ data: Listed<Item> }>,
): Promise<ListProps<Item>> {
  const { columns: _, ...given } = queries();
  const entries = Object.entries(given).map(([field, value]) => [field, value.trim()] as const);
  const filters = Object.fromEntries(entries.filter(([, value]) => value !== ""));
  const chosen = all("columns").flatMap((names) => names.split(","));
  if (filters.currency) filters.currency = filters.currency.toUpperCase();
  try {
    return { ...(await read(caller, place(name), schema, filters)), filters, chosen, wrong: [] };
  } catch (error) {
    if (!(error instanceof EdgeRefusal) || Object.keys(error.fields).length === 0) throw error;
    const empty = { items: [], next: null, previous: null, partial: false };
    return { ...empty, filters, chosen, wrong: Object.keys(error.fields) };
  }
}
