import type { z } from "zod";
import { EdgeRefusal, read } from "../edge/console-edge";
import type { PageRequest } from "./request";

type Listed<Item> = { items: Item[]; next: string | null; previous: string | null; partial: boolean };
export type ListProps<Item> = Listed<Item> & {
  filters: Record<string, string>;
  /** The filters that the api refused; then the list is empty. */
  wrong: string[];
};

/** Reads a list with the filters of the address. An empty field of the filters' form is no filter. */
export async function loadList<Item>(
  { caller, place, queries }: PageRequest,
  name: string,
  schema: z.ZodType<{ data: Listed<Item> }>,
): Promise<ListProps<Item>> {
  const entries = Object.entries(queries()).map(([field, value]) => [field, value.trim()] as const);
  const filters = Object.fromEntries(entries.filter(([, value]) => value !== ""));
  if (filters.currency) filters.currency = filters.currency.toUpperCase();
  try {
    return { ...(await read(caller, place(name), schema, filters)), filters, wrong: [] };
  } catch (error) {
    if (!(error instanceof EdgeRefusal) || Object.keys(error.fields).length === 0) throw error;
    const empty = { items: [], next: null, previous: null, partial: false };
    return { ...empty, filters, wrong: Object.keys(error.fields) };
  }
}
