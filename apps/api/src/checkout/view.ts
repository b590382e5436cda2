import { type CheckoutDelivery, checkoutDeliverySchema } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { hostForLog } from "../events/outbox/address-guard.js";
import { parseShopStep } from "../events/outbox/likely-cause.js";
import { type Checkout, readCheckout } from "./read.js";
import { isPageToken, signFormToken, signPageToken } from "./tokens.js";
import { type RecognizedAccount, recognizeDevice } from "./wallet/devices.js";

const MAX_SHOWN = 5;

const landingSchema = z.object({
  id: z.string(),
  address: z.string(),
  state: checkoutDeliverySchema.shape.state,
  http_status: z.int().nullable(),
  answerStart: z.string().nullable(),
});

const OUTCOME = {
  PENDING: null,
  PAID: "paid",
  REFUND_PENDING: "paid",
  REFUNDED: "paid",
  EXPIRED: "expired",
  CANCELLED: "cancelled",
} as const;

/** Time after an order's expiry during which visitors who saw the order pending still get the shop's return URL. */
const VISITOR_TOKEN_SECONDS = 3_600;

const isValidVisitorToken = async (
  context: Pick<Context, "keyring">,
  order: Pick<OrderModel, "id">,
  { visitor, witness }: { visitor: string; witness: string | undefined },
): Promise<boolean> =>
  witness !== undefined &&
  isPageToken(context, "witness token", witness, { orderId: order.id, bound: [visitor] });

/** Time after payment or expiry during which the payment page redirects automatically. */
const RETURN_LINK_MS = 15 * 60_000;

export type Viewer = {
  /** Random ID of this browser. */
  visitor: string;
  /** Token of the wallet session, which may have ended. */
  session: string | undefined;
  /** Token of a trusted device. */
  device: string | undefined;
  /** Signed proof that the visitor saw this order while it was pending. */
  witness: string | undefined;
  /** The User-Agent. */
  browser: string;
};

export type CheckoutDetails = Checkout & {
  returnTo: string | null;
  redirectsBack: boolean;
  formToken: string;
  witness: VisitorToken | null;
  landings: CheckoutDelivery[] | null;
  recognised: RecognizedAccount | null;
};

/**
 * Reads the payment page of an order. The return URL may give access to the order in the shop, so only the payer and visitors who saw the order
 * pending get the URL.
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
  const sawPending = await isValidVisitorToken(context, order, viewer);
  const returnTo = sawPending || isPayer(checkout) ? toReturnUrl(order) : null;
  return {
    ...checkout,
    returnTo,
    redirectsBack: returnTo !== null && sawPending && isJustSettled(checkout),
    formToken: await signFormToken(context, { orderId: order.id, visitor, session: checkout }),
    witness: await signVisitorToken(context, order, { visitor, readAt }),
    landings: await readSandboxDeliveries(context, order),
    recognised: await recognizeDevice(context, checkout, viewer.device),
  };
}

const isPayer = ({ payment, shopper }: Checkout): boolean =>
  shopper !== null && payment?.walletUserId === shopper.id;

/**
 * Returns whether the page may redirect to the shop: always after a cancellation, for a limited time after payment or expiry, never after a refund.
 */
function isJustSettled({ order, readAt }: Checkout): boolean {
  const { state, paidAt, expiresAt, refunded } = order;
  if (refunded > 0n) return false;
  if (state === "CANCELLED") return true;
  const settledAt = state === "PAID" ? paidAt : state === "EXPIRED" ? expiresAt : null;
  return settledAt !== null && readAt.getTime() - settledAt.getTime() < RETURN_LINK_MS;
}

/** Reads up to five deliveries of a sandbox order's newest event. @returns null for a pending order and for every live order. */
async function readSandboxDeliveries(
  { database }: Context,
  { id, mode, state }: Pick<OrderModel, "id" | "mode" | "state">,
): Promise<CheckoutDelivery[] | null> {
  if (mode !== "sandbox" || state === "PENDING") return null;
  const rows = await queryRows(
    database.pool,
    landingSchema,
    `SELECT d.id, d.address, a.http_status, a.answer_start AS "answerStart",
       CASE d.status WHEN 'delivered' THEN 'delivered' WHEN 'failed' THEN 'failed' ELSE 'waiting' END AS state
     FROM (SELECT id FROM events WHERE order_id = $1 ORDER BY turn DESC, number DESC LIMIT 1) e
     JOIN deliveries d ON d.event_id = e.id
     LEFT JOIN LATERAL (SELECT http_status, answer_start FROM attempts WHERE delivery_id = d.id ORDER BY number DESC LIMIT 1) a ON true
     ORDER BY d.created_at, d.id LIMIT $2`,
    [id, MAX_SHOWN],
  );
  return rows.map(({ address, answerStart, ...rest }) => ({
    host: hostForLog(address),
    order_status: parseShopStep(answerStart).orderStatus,
    ...rest,
  }));
}

/**
 * Returns the shop's return or cancel URL with the order's token, status and references, which are for display only and do not prove a payment.
 * @returns null for a pending order, or if the shop sent no URL.
 */
export function toReturnUrl(
  order: Pick<
    OrderModel,
    "state" | "token" | "returnUrl" | "cancelUrl" | "orderNumber" | "reference" | "trxId" | "custom"
  >,
): string | null {
  const status = OUTCOME[order.state];
  const address = status === "paid" ? order.returnUrl : (order.cancelUrl ?? order.returnUrl);
  if (!status || !address) return null;
  const url = new URL(address);
  const added = new URLSearchParams({ token: order.token, status });
  if (order.orderNumber !== null) added.set("order_number", order.orderNumber);
  else if (order.reference !== null) added.set("reference", order.reference);
  if (order.trxId !== null) added.set("trx_id", order.trxId);
  if (order.custom !== null) added.set("custom", order.custom);
  url.search = url.search ? `${url.search}&${added}` : `?${added}`;
  return url.href;
}

/** Proof that a visitor saw an order's page while it was pending. */
type VisitorToken = { token: string; maxAgeSeconds: number };

async function signVisitorToken(
  context: Pick<Context, "keyring">,
  order: Pick<OrderModel, "id" | "status" | "expiresAt">,
  { visitor, readAt }: { visitor: string; readAt: Date },
): Promise<VisitorToken | null> {
  if (order.status !== "PENDING" || visitor === "") return null;
  const until = Math.ceil(order.expiresAt.getTime() / 1_000) + VISITOR_TOKEN_SECONDS;
  const token = await signPageToken(context, "witness token", { orderId: order.id, bound: [visitor] }, until);
  return { token, maxAgeSeconds: Math.max(1, until - Math.floor(readAt.getTime() / 1_000)) };
}
