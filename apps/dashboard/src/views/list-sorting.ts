import { listSortSchema } from "@tillgate/contract";
import { addressOf, type ListColumn } from "./list-columns";

/** What lists can be sorted by: names of columns. */
const SORTED = ["created_at", "amount"];

/** The columns with heads that sort by them: downwards first, then the other way round. */
export function sortable<Item>(
  columns: readonly ListColumn<Item>[],
  path: string,
  query: Readonly<Record<string, string>>,
): ListColumn<Item>[] {
  const now = listSortSchema.safeParse(query.sort).data ?? "-created_at";
  return columns.map((column) => {
    const { name } = column;
    if (!SORTED.includes(name)) return column;
    const href = addressOf(path, { ...query, sort: now === `-${name}` ? name : `-${name}` });
    const direction = { [name]: "ascending" as const, [`-${name}`]: "descending" as const }[now];
    return { ...column, sorting: direction ? { href, now: direction } : { href } };
  });
}
