import { createHash } from "node:crypto";
import type { Order } from "@tillgate/contract";
import type { PaymentRequest } from "../records/records.js";
import type { ConnectorSettings } from "../settings.js";
import type { StoreOrder } from "../store/store-access.js";
import { decimalText } from "../store/store-amount.js";

/** What a shopper reads on the payment page of what is bought: the rule of `plugin/vectors/descriptions.json`. */

export type BoughtItem = {
  /** As the store holds it: tags and character references may be in it. */
  name: string;
  /** Some stores sell parts of a piece. */
  quantity: number;
};

/** The longest description that `POST /orders` takes, in characters. */
const MAX_LENGTH = 500;

const CHARACTERS: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#039;": "'",
};

/** @returns "2 × Stoneware mug, 1 × Tea bowl", cut where it is too long; the order's number where no item has a name */
export function describeItems(items: readonly BoughtItem[], orderNumber: string): string {
  const texts = items
    .map(({ name, quantity }) => ({ name: plain(name), quantity }))
    .filter(({ name }) => name !== "")
    .map(({ name, quantity }) => `${quantity} × ${name}`);
  return texts.length === 0 ? `Order ${orderNumber}` : cut(texts.join(", "));
}

const plain = (name: string): string =>
  name
    .replace(/<[^\s<>][^<>]*>/g, "")
    .replace(/&(?:amp|lt|gt|quot|#039);/g, (reference) => CHARACTERS[reference] ?? reference)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_LENGTH ? text : `${characters.slice(0, MAX_LENGTH - 1).join("")}…`;
}

/** Hexadecimal digits of the order key's digest: a key opens the order, so the key itself is shown to nobody. */
const KEY_DIGITS = 16;

/** What a Tillgate order carries in its metadata, so that it names its store order also where the records are lost. */
const orderMark = (siteUrl: string, { id, orderKey }: Pick<StoreOrder, "id" | "orderKey">) => ({
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

/** What Tillgate is asked for, for a store order, but for its key. */
export function paymentRequest(
  settings: ConnectorSettings,
  order: StoreOrder,
  { amountMinor, currency }: { amountMinor: bigint; currency: string },
): Omit<PaymentRequest, "idempotency_key"> {
  const address = settings.returnUrl
    .replaceAll("{order_id}", encodeURIComponent(String(order.id)))
    .replaceAll("{order_key}", encodeURIComponent(order.orderKey));
  return {
    amount: decimalText(amountMinor, currency),
    currency,
    payment_method: "both",
    reference: order.number,
    description: describeItems(order.items, order.number),
    metadata: orderMark(settings.siteUrl, order),
    callback_url: settings.callbackUrl,
    return_url: address,
    cancel_url: address,
    expires_in: settings.expiresInSeconds,
  };
}
