import { Refusal } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { readEmbedOrigins } from "../embedding/embed-origins.js";
import { FORM_LIFETIME } from "./form-token.js";
import { isPageToken, signPageToken } from "./page-token.js";

/**
 * Signs the token of a frame's test buttons. A frame has no visitor, so it is bound to the order and to the pages that may frame it:
 * when a shop's origins change, the frames that are open are drawn again.
 */
export const signEmbedToken = (
  context: Pick<Context, "keyring">,
  orderId: string,
  origins: readonly string[],
): Promise<string> => signPageToken(context, "embed token", { orderId, bound: origins }, FORM_LIFETIME);

/** @throws OperationError FormRejected for a token that is forged, old, of a form of the page, or of another order. */
export async function verifyEmbedToken(context: Context, token: string, order: OrderModel): Promise<void> {
  const bound = await readEmbedOrigins(context, order);
  if (!(await isPageToken(context, "embed token", token, { orderId: order.id, bound })))
    throw new OperationError(Refusal.FormRejected);
}
