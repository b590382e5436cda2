import type { Context } from "../../context.js";
import { signFormToken } from "./form-token.js";
import { type Checkout, readCheckout } from "./read-checkout.js";
import { returnAddress } from "./return-address.js";

/** Who looks at a payment page: its random visitor id, and the wallet session if one is signed in. */
export type Viewer = { visitor: string; session: string | undefined };

export type CheckoutDetails = Checkout & {
  returnTo: string | null;
  formToken: string;
};

/**
 * All that the payment page shows of one order.
 * @throws OperationError OrderNotFound.
 */
export async function viewCheckout(
  context: Context,
  token: string,
  { visitor, session }: Viewer,
): Promise<CheckoutDetails> {
  const checkout = await readCheckout(context, token, session);
  const { order, sessionId } = checkout;
  return {
    ...checkout,
    returnTo: returnAddress(order),
    formToken: await signFormToken(context, { orderId: order.id, visitor, sessionId }),
  };
}
