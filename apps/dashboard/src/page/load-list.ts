import { type ConsoleView, consoleViewsAnswerSchema, type ViewedList } from "@tillgate/contract";
import type { z } from "zod";
import { EdgeRefusal, read } from "../edge/console-edge";
import type { PageRequest } from "./request";

type Listed<Item> = { items: Item[]; next: string | null; previous: string | null; partial: boolean };
export type ListProps<Item> = Listed<Item> & {
  filters: Record<string, string>;
  /** What the user has saved of this list. */
  views: ConsoleView[];
  /** The names of columns in the address, as they are given. */
  chosen: string[];
  /** The filters that the api refused; then the list is empty. */
  wrong: string[];
};

/** Reads a list with the filters of the address. An empty field of the filters' form is no filter. */
export async function loadList<Item>(
  { caller, place, queries, all }: PageRequest,
  name: ViewedList,
  schema: z.ZodType<{ data: Listed<Item> }>,
): Promise<ListProps<Item>> {
  const { columns: _, ...given } = queries();
  const entries = Object.entries(given).map(([field, value]) => [field, value.trim()] as const);
  const filters = Object.fromEntries(entries.filter(([, value]) => value !== ""));
  const chosen = all("columns").flatMap((names) => names.split(","));
  if (filters.currency) filters.currency = filters.currency.toUpperCase();
  const [listed, { views }] = await Promise.all([
    readListed(),
    read(caller, place("views"), consoleViewsAnswerSchema, { list: name }),
  ]);
  return { ...listed, views, filters, chosen };

  async function readListed(): Promise<Listed<Item> & Pick<ListProps<Item>, "wrong">> {
    try {
      return { ...(await read(caller, place(name), schema, filters)), wrong: [] };
    } catch (error) {
      if (!(error instanceof EdgeRefusal) || Object.keys(error.fields).length === 0) throw error;
      const empty = { items: [], next: null, previous: null, partial: false };
      return { ...empty, wrong: Object.keys(error.fields) };
    }
  }
}
