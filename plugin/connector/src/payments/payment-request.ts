import { createHash } from "node:crypto";
import type { Order } from "@tillgate/contract";
import type { PaymentRequest } from "../records/records.js";
import type { ConnectorSettings } from "../settings.js";
import type { StoreOrder } from "../store/store-access.js";
import { decimalText } from "../store/store-amount.js";

/** An item in the order description on the payment page. Tested with `plugin/vectors/descriptions.json`. */
export type BoughtItem = {
  /** The name as stored in the shop, which may contain tags and character references. */
  name: string;
  /** May be fractional. */
  quantity: number;
};

/** Limit of `POST /orders`, in characters. */
const MAX_LENGTH = 500;

const CHARACTERS: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#039;": "'",
};

/** Returns text such as "2 × Stoneware mug, 1 × Tea bowl", truncated if too long; "Order" and the order number if no item has a name. */
export function describeItems(items: readonly BoughtItem[], orderNumber: string): string {
  const texts = items
    .map(({ name, quantity }) => ({ name: toPlainText(name), quantity }))
    .filter(({ name }) => name !== "")
    .map(({ name, quantity }) => `${quantity} × ${name}`);
  return texts.length === 0 ? `Order ${orderNumber}` : truncate(texts.join(", "));
}

const toPlainText = (name: string): string =>
  name
    .replace(/<[^\s<>][^<>]*>/g, "")
    .replace(/&(?:amp|lt|gt|quot|#039);/g, (reference) => CHARACTERS[reference] ?? reference)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();

function truncate(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_LENGTH ? text : `${characters.slice(0, MAX_LENGTH - 1).join("")}…`;
}

/** Hex digits of the order key's digest. The key itself gives access to the order, so it is not sent. */
const KEY_DIGITS = 16;

/** Returns metadata that identifies the store order, to recover from a lost database. */
const orderMark = (siteUrl: string, { id, orderKey }: Pick<StoreOrder, "id" | "orderKey">) => ({
  store: siteUrl,
  store_order: String(id),
  store_order_mark: createHash("sha256").update(orderKey, "utf8").digest("hex").slice(0, KEY_DIGITS),
});

/** Returns null if the metadata names no order in this store. */
export function readMarkedOrderId(siteUrl: string, { metadata }: Pick<Order, "metadata">): number | null {
  const id = Number(metadata?.store_order);
  return metadata?.store === siteUrl && Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Whether a Tillgate order was created for this store order. Compares the order key too, because a rebuilt shop reuses order IDs. */
export const isMarked = (
  siteUrl: string,
  order: Pick<StoreOrder, "id" | "orderKey">,
  { metadata }: Pick<Order, "metadata">,
): boolean => Object.entries(orderMark(siteUrl, order)).every(([name, value]) => metadata?.[name] === value);

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
