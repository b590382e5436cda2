import type { ListSort } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import type { PageOfList } from "./find-page.js";

/** The currency of the amount that each list is sorted and summed by. */
export const CURRENCY = { order: "currency", refund: "currency", payout: "sender_currency" } as const;

/** The order of a list: the columns that decide it, the last of which is unique, all in one direction. */
export type ListOrder = { up: Prisma.Sql; down: Prisma.Sql };

const orderBy = (...names: string[]): ListOrder => {
  const listed = (end: string) => Prisma.join(names.map((name) => Prisma.raw(name + end)));
  return { up: listed(""), down: listed(" DESC") };
};

export const BY_TIME = orderBy("created_at", "id");

/** Minor units of two currencies say nothing of each other: amounts are sorted within their currency. */
const BY_AMOUNT = {
  order: orderBy(CURRENCY.order, "amount", "created_at", "id"),
  refund: orderBy(CURRENCY.refund, "amount", "created_at", "id"),
  payout: orderBy(CURRENCY.payout, "amount", "created_at", "id"),
};

/** What a list is sorted by, and whether downwards: newest first where nothing else is asked for. */
export const listOrder = (
  kind: PageOfList["kind"],
  sort: ListSort = "-created_at",
): { order: ListOrder; descending: boolean } => ({
  order: sort.endsWith("amount") ? BY_AMOUNT[kind] : BY_TIME,
  descending: sort.startsWith("-"),
});
