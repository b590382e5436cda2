import type { CheckoutLanding } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { signFormToken } from "./form-token.js";
import { type Checkout, readCheckout } from "./read-checkout.js";
import { readLandings } from "./read-landings.js";
import { type Recognised, recogniseDevice } from "./recognise-device.js";
import { returnAddress } from "./return-address.js";
import { isWitness, signWitness, type Witness } from "./witness.js";

/** How long after the end of an order a page leads back automatically, in milliseconds. Later it stays a receipt. */
const LEADS_BACK_MS = 15 * 60_000;

/** The visitor of a payment page, by the secrets of its cookies. */
export type Viewer = {
  /** The random id of this browser. */
  visitor: string;
  /** The wallet session, if one is signed in. */
  session: string | undefined;
  /** The device on which accounts have signed in before. */
  device: string | undefined;
  /** The proof of having seen this order while it was pending. */
  witness: string | undefined;
  /** What the browser calls itself. */
  browser: string;
};

export type CheckoutDetails = Checkout & {
  returnTo: string | null;
  leadsBack: boolean;
  formToken: string;
  witness: Witness | null;
  landings: CheckoutLanding[] | null;
  recognised: Recognised | null;
};

/**
 * All that the payment page shows of one order. The shop's address may open its order there. So it goes only to the payer
 * and to visitors who had the page open while the order was pending. Other visitors see the receipt.
 * @throws OperationError OrderNotFound.
 */
export async function viewCheckout(
  context: Context,
  token: string,
  viewer: Viewer,
): Promise<CheckoutDetails> {
  const checkout = await readCheckout(context, token, viewer.session);
  const { order, readAt } = checkout;
  const { visitor } = viewer;
  const witnessed = await isWitness(context, order, viewer);
  const returnTo = witnessed || isPayer(checkout) ? returnAddress(order) : null;
  return {
    ...checkout,
    returnTo,
    leadsBack: returnTo !== null && witnessed && isJustSettled(checkout),
    formToken: await signFormToken(context, { orderId: order.id, visitor, session: checkout }),
    witness: await signWitness(context, order, { visitor, readAt }),
    landings: await readLandings(context, order),
    recognised: await recogniseDevice(context, checkout, viewer.device),
  };
}

const isPayer = ({ payment, shopper }: Checkout): boolean =>
  shopper !== null && payment?.walletUserId === shopper.id;

/** An order with a refund was looked up on purpose. */
function isJustSettled({ order, readAt }: Checkout): boolean {
  const { state, paidAt, expiresAt, refunded } = order;
  if (refunded > 0n) return false;
  if (state === "CANCELLED") return true;
  const settledAt = state === "PAID" ? paidAt : state === "EXPIRED" ? expiresAt : null;
  return settledAt !== null && readAt.getTime() - settledAt.getTime() < LEADS_BACK_MS;
}
