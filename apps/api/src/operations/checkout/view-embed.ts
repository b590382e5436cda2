import type { Context } from "../../context.js";
import { readEmbedOrigins } from "../embedding/embed-origins.js";
import { signEmbedToken } from "./embed-token.js";
import { type Checkout, readCheckout } from "./read-checkout.js";

export type EmbeddedCheckout = Pick<Checkout, "order" | "currency" | "merchant" | "readAt"> & {
  origins: string[];
  /** Of the sandbox's test buttons; null in live. */
  formToken: string | null;
};

/**
 * All that a frame in the shop's own page shows of one order, and which pages may frame it. It is read without a session: a shopper who
 * is signed in at the page is a stranger here.
 * @throws OperationError OrderNotFound.
 */
export async function viewEmbed(context: Context, token: string): Promise<EmbeddedCheckout> {
  const { order, currency, merchant, readAt } = await readCheckout(context, token, undefined);
  const origins = await readEmbedOrigins(context, order);
  const formToken = order.mode === "sandbox" ? await signEmbedToken(context, order.id, origins) : null;
  return { order, currency, merchant, readAt, origins, formToken };
}
