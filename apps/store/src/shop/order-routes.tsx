import { embedOriginSchema, parseWebAddress } from "@tillgate/contract";
import { isPhone } from "@tillgate/service/web/visitor";
import type { Request, Response, Router } from "express";
import { emptyCartOfOrder } from "../carts/cart.js";
import { findOrder, needsPayment, type Order } from "../orders/order.js";
import { listRefunds } from "../orders/refunds.js";
import {
  ConnectorUnavailable,
  type Payment,
  PaymentRejected,
  type PaymentStatus,
} from "../payments/connector-client.js";
import { OrderReceivedPage } from "./order-received-page.js";
import { orderAddress, returnAddress } from "./order-summary.js";
import { sendPage } from "./page.js";
import { CheckingPage, ExpiredPage, OrderPayPage, PaymentErrorPage, ToPaymentPage } from "./payment-pages.js";
import { countCartPieces, findOrderByKey, queryText, type ShopContext } from "./shop-context.js";
import { readCookie } from "./visitor.js";

const POLICY = "Content-Security-Policy";

/** Allows the page to load the payment service's script and frame. @returns the script's URL; undefined if the page can show only the link */
function allowPaymentFrame(response: Response, paymentUrl: string): string | undefined {
  const origin = embedOriginSchema.safeParse(parseWebAddress(paymentUrl)?.origin).data;
  const policy = String(response.getHeader(POLICY) ?? "");
  if (origin === undefined || !policy.includes("script-src 'self'")) return undefined;
  const allowed = policy.replace("script-src 'self'", `script-src 'self' ${origin}`);
  response.setHeader(POLICY, `${allowed};frame-src ${origin}`);
  return `${origin}/tillgate.js`;
}

/** Maximum refreshes of an order-pay page without scripts. Eight seconds apart, they last twenty minutes. */
const MAX_PAY_REFRESHES = 150;
/** Maximum refreshes of the return page. Two to five seconds apart, they last 40 to 100 seconds. */
const MAX_RETURN_REFRESHES = 20;
/** Cookie set by public/script-runs.js, so that waiting pages need not reload themselves. */
const SCRIPT_COOKIE = "tillgate_store_script";

const readRefreshCount = (request: Request): number => {
  const text = queryText(request, "looks") ?? "0";
  return /^\d{1,4}$/.test(text) ? Number(text) : 0;
};

const isCancelledUnpaid = ({ status, paid_at }: Order): boolean => status === "cancelled" && paid_at === null;

export function addOrderRoutes(router: Router, context: ShopContext): void {
  const { database, connector, logger } = context;

  const findOrderOfPath = (request: Request): Promise<Order> =>
    findOrderByKey(context, request.params.id, queryText(request, "key"));

  const requestPayment = async (order: Order): Promise<Payment | { problem: string; status: number }> => {
    try {
      return await connector.requestPayment(order);
    } catch (error) {
      if (!(error instanceof ConnectorUnavailable) && !(error instanceof PaymentRejected)) throw error;
      logger.warn({ err: error, order: String(order.id) }, "failed to request a payment for an order");
      return error instanceof PaymentRejected
        ? { problem: "The payment service rejected this order. Please contact the shop.", status: 502 }
        : {
            problem:
              "We can’t reach the payment service right now. Your order is saved. If you’ve already paid, please don’t pay again.",
            status: 503,
          };
    }
  };

  /** Loads the payment status from the connector; `checking` if the request fails. */
  const loadPaymentStatus = async (order: Order): Promise<PaymentStatus> => {
    try {
      return await connector.readPaymentStatus(order);
    } catch (error) {
      if (!(error instanceof ConnectorUnavailable) && !(error instanceof PaymentRejected)) throw error;
      logger.warn({ err: error, order: String(order.id) }, "failed to read the status of a payment");
      return "checking";
    }
  };

  /** Returns the path of the cart with a notice. Unless the payment was cancelled too, the notice does not claim that nothing was charged. */
  const cancelledAddress = async (order: Order): Promise<string> =>
    `/cart?notice=${(await loadPaymentStatus(order)) === "cancelled" ? "cancelled" : "order-cancelled"}`;

  router.get("/checkout/order-pay/:id", async (request, response) => {
    const order = await findOrderOfPath(request);
    if (isCancelledUnpaid(order)) return response.redirect(303, await cancelledAddress(order));
    if (!needsPayment(order)) return response.redirect(303, orderAddress("order-received", order));
    const pieces = await countCartPieces(context, request, response);
    const refreshCount = readRefreshCount(request);
    // A refresh must not start a new payment for an expired one.
    if (refreshCount > 0 && order.status === "failed") {
      const status = await loadPaymentStatus(order);
      if (status === "checking") return showChecking(request, response, order);
      if (status === "expired") {
        return sendPage(response, <ExpiredPage order={order} cartPieces={pieces} />);
      }
    }
    const payment = await requestPayment(order);
    if ("problem" in payment) {
      const { problem, status } = payment;
      const failure = <PaymentErrorPage order={order} text={problem} cartPieces={pieces} />;
      return sendPage(response, failure, status);
    }
    if (payment.status === "paid") return response.redirect(303, returnAddress(order));
    if (payment.status === "cancelled") return response.redirect(303, "/cart?notice=cancelled");
    if (payment.status === "checking") return showChecking(request, response, order);
    if (payment.status === "expired") {
      return sendPage(response, <ExpiredPage order={order} cartPieces={pieces} />);
    }
    const phone = isPhone(request);
    const staysHere = queryText(request, "show") === "code";
    if (phone && !staysHere) {
      return sendPage(response, <ToPaymentPage order={order} payment={payment} cartPieces={pieces} />);
    }
    const address = staysHere ? payPageWithCode(order) : orderAddress("order-pay", order);
    const refreshAddress =
      refreshCount < MAX_PAY_REFRESHES ? `${address}&looks=${refreshCount + 1}` : undefined;
    return sendPage(
      response,
      <OrderPayPage
        order={order}
        payment={payment}
        phone={phone}
        paymentScript={allowPaymentFrame(response, payment.paymentUrl)}
        refreshAddress={refreshAddress}
        scripted={readCookie(request, SCRIPT_COOKIE) === "1"}
        cartPieces={pieces}
      />,
    );
  });

  router.get("/checkout/status/:id", async (request, response) => {
    const order = await findOrderOfPath(request);
    // The connector is also asked if the request says so, in case a webhook was lost, and for a failed order, whose payment may have
    // expired or be a new one.
    const asksConnector =
      needsPayment(order) && (order.status === "failed" || queryText(request, "ask") === "1");
    const paymentState = asksConnector ? await loadPaymentStatus(order) : undefined;
    const current = asksConnector ? ((await findOrder(database, order.id)) ?? order) : order;
    response.set("Cache-Control", "no-store").json(liveStatus(current, paymentState));
  });

  router.get("/checkout/return", async (request, response) => {
    const order = await findOrderByKey(context, queryText(request, "order"), queryText(request, "key"));
    if (isCancelledUnpaid(order)) return response.redirect(303, await cancelledAddress(order));
    if (!needsPayment(order)) return response.redirect(303, orderAddress("order-received", order));
    const status = await loadPaymentStatus(order);
    if (status === "cancelled") return response.redirect(303, "/cart?notice=cancelled");
    if (status === "payable" || status === "expired") {
      // A phone that has just returned is not redirected to the payment page again.
      return response.redirect(
        303,
        isPhone(request) ? payPageWithCode(order) : orderAddress("order-pay", order),
      );
    }
    if (status === "paid" && (await isSettled(order))) {
      return response.redirect(303, orderAddress("order-received", order));
    }
    return showChecking(request, response, order);
  });

  /** Returns whether the shop has already recorded the payment that the connector reports. */
  const isSettled = async (order: Order): Promise<boolean> => {
    const current = await findOrder(database, order.id);
    return current !== undefined && !needsPayment(current);
  };

  const showChecking = async (request: Request, response: Response, order: Order): Promise<void> => {
    const refreshCount = readRefreshCount(request);
    const address = returnAddress(order);
    const page = (
      <CheckingPage
        order={order}
        refreshAddress={
          refreshCount < MAX_RETURN_REFRESHES ? `${address}&looks=${refreshCount + 1}` : undefined
        }
        retryAddress={address}
        cartPieces={await countCartPieces(context, request, response)}
      />
    );
    sendPage(response, page);
  };

  router.get("/checkout/order-received/:id", async (request, response) => {
    const order = await findOrderOfPath(request);
    const refunds = await listRefunds(database, [order.id]);
    await emptyCartOfOrder(database, order.id);
    const pieces = await countCartPieces(context, request, response);
    sendPage(response, <OrderReceivedPage order={order} refunds={refunds} cartPieces={pieces} />);
  });
}

const payPageWithCode = (order: Order): string => `${orderAddress("order-pay", order)}&show=code`;

/** Returns the status for the order-pay page: payment status, order status, and the next URL if any. */
function liveStatus(
  order: Order,
  known: PaymentStatus | undefined,
): { status: PaymentStatus; order_status: string; next: string | null } {
  const toStatus = (status: PaymentStatus, next: string | null) => ({
    status,
    order_status: order.status,
    next,
  });
  // The payment may be paid or open; the return page determines which.
  if (isCancelledUnpaid(order)) return toStatus("checking", returnAddress(order));
  if (!needsPayment(order)) return toStatus("paid", orderAddress("order-received", order));
  if (known === "cancelled") return toStatus("cancelled", "/cart?notice=cancelled");
  if (known === "paid") return toStatus("paid", returnAddress(order));
  return toStatus(known ?? "payable", null);
}
