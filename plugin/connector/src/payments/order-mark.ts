import { createHash } from "node:crypto";
import type { Order } from "@tillgate/contract";
import type { StoreOrder } from "../store/store-access.js";

/** Hexadecimal digits of the order key's digest: a key opens the order, so the key itself is shown to nobody. */
const KEY_DIGITS = 16;

/** What a Tillgate order carries in its metadata, so that it names its store order also where the records are lost. */
export const orderMark = (siteUrl: string, { id, orderKey }: Pick<StoreOrder, "id" | "orderKey">) => ({
  store: siteUrl,
  store_order: String(id),
  store_order_mark: createHash("sha256").update(orderKey, "utf8").digest("hex").slice(0, KEY_DIGITS),
});

/** The number of the store order that a Tillgate order of this store names; null where it names none. */
export function markedOrderId(siteUrl: string, { metadata }: Pick<Order, "metadata">): number | null {
  const id = Number(metadata?.store_order);
  return metadata?.store === siteUrl && Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Whether this is the very store order: a shop that is rebuilt gives its numbers to other orders. */
export const isMarked = (
  siteUrl: string,
  order: Pick<StoreOrder, "id" | "orderKey">,
  { metadata }: Pick<Order, "metadata">,
): boolean => Object.entries(orderMark(siteUrl, order)).every(([name, value]) => metadata?.[name] === value);
