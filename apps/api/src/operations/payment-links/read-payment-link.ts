import type { CheckoutLink } from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import type { Context } from "../../context.js";
import { currencyOf } from "../../readers/currencies.js";
import { type OrderUnderWay, orderUnderWay } from "./order-under-way.js";
import { type LinkOfAddress, linkOfAddress, stateOfLink, usesOf } from "./payment-link.js";

export type OpenedLink = LinkOfAddress & {
  currency: Currency;
  state: CheckoutLink["state"];
  underWay: OrderUnderWay | null;
};

/**
 * What a visitor finds at the address of a payment link.
 * @throws OperationError PaymentLinkNotFound.
 */
export async function readPaymentLink(context: Context, token: string, visitor: string): Promise<OpenedLink> {
  const found = await linkOfAddress(context, token);
  const { pool } = context.database;
  const visitorHash = Buffer.from(hashSecret(visitor));
  const [currency, [uses], underWay] = await Promise.all([
    currencyOf(context, found.link.currency),
    usesOf(pool, [found.link]),
    orderUnderWay(pool, { linkId: found.link.id, visitorHash }),
  ]);
  if (uses === undefined) throw new Error(`Payment link ${found.link.id} was deleted.`);
  const state = stateOfLink(uses);
  // An open order of a link that is used up cannot be paid.
  return { ...found, currency, state, underWay: state === "used" ? null : (underWay ?? null) };
}
