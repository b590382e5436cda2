import { embedOriginSchema, parseWebAddress } from "@tillgate/contract";
import { isPhone } from "@tillgate/service/web/visitor";
import type { Request, Response, Router } from "express";
import { emptyCartOf } from "../carts/cart.js";
import { findOrder, needsPayment, type Order } from "../orders/order.js";
import { listRefunds } from "../orders/refunds.js";
import {
  ConnectorUnavailable,
  type Payment,
  PaymentRefused,
  type PaymentStatus,
} from "../payments/connector-client.js";
import { OrderReceivedPage } from "./order-received-page.js";
import { orderAddress, returnAddress } from "./order-summary.js";
import { sendPage } from "./page.js";
import { CheckingPage, ExpiredPage, OrderPayPage, PaymentErrorPage, ToPaymentPage } from "./payment-pages.js";
import { cartPieces, orderByKey, page, queryText, type ShopContext } from "./shop-context.js";
import { readCookie } from "./visitor.js";

const POLICY = "Content-Security-Policy";

/**
 * Lets this one page load the payment service's script and show its frame.
 *
 * @returns the script's address; undefined where the payment's address names no plain origin: then the page has its link alone
 */
function allowPaymentFrame(response: Response, paymentUrl: string): string | undefined {
  const origin = embedOriginSchema.safeParse(parseWebAddress(paymentUrl)?.origin).data;
  const policy = String(response.getHeader(POLICY) ?? "");
  if (origin === undefined || !policy.includes("script-src 'self'")) return undefined;
  const allowed = policy.replace("script-src 'self'", `script-src 'self' ${origin}`);
  response.setHeader(POLICY, `${allowed};frame-src ${origin}`);
  return `${origin}/tillgate.js`;
}

/** Looks of an order-pay page without scripts, eight seconds apart: twenty minutes. */
const PAY_LOOKS = 150;
/** Looks of the return page, two to five seconds apart: a minute or two. */
const RETURN_LOOKS = 20;
/** Set by the shop's own scripts (public/script-runs.js): so a page that waits knows that it need not be loaded again. */
const SCRIPT_COOKIE = "tillgate_store_script";

/** How often this page has looked already. */
const looksOf = (request: Request): number => {
  const text = queryText(request, "looks") ?? "0";
  return /^\d{1,4}$/.test(text) ? Number(text) : 0;
};

const isCancelled = ({ status }: Order): boolean => status === "cancelled";

/** Paying an order and what comes after it. */
export function addOrderRoutes(router: Router, context: ShopContext): void {
  const { database, connector, logger } = context;

  const byPath = (request: Request): Promise<Order> =>
    orderByKey(context, request.params.id, queryText(request, "key"));

  const requestPayment = async (order: Order): Promise<Payment | { problem: string; status: number }> => {
    try {
      return await connector.requestPayment(order);
    } catch (error) {
      if (!(error instanceof ConnectorUnavailable) && !(error instanceof PaymentRefused)) throw error;
      logger.warn({ err: error, order: String(order.id) }, "no payment could be made for an order");
      return error instanceof PaymentRefused
        ? { problem: "The payment service rejected this order. Please contact the shop.", status: 502 }
        : {
            problem:
              "We can’t reach the payment service right now. Your order is saved and you haven’t been charged.",
            status: 503,
          };
    }
  };

  /** What the connector says; what it cannot say is `checking`. */
  const paymentStatus = async (order: Order): Promise<PaymentStatus> => {
    try {
      return await connector.paymentStatus(order);
    } catch (error) {
      if (!(error instanceof ConnectorUnavailable) && !(error instanceof PaymentRefused)) throw error;
      logger.warn({ err: error, order: String(order.id) }, "the state of a payment is not known");
      return "checking";
    }
  };

  router.get(
    "/checkout/order-pay/:id",
    page(async (request, response) => {
      const order = await byPath(request);
      if (isCancelled(order)) return response.redirect(303, "/cart?notice=cancelled");
      if (!needsPayment(order)) return response.redirect(303, orderAddress("order-received", order));
      const pieces = await cartPieces(context, request, response);
      const looks = looksOf(request);
      if (looks > 0 && order.status === "failed") {
        return sendPage(response, <ExpiredPage order={order} cartPieces={pieces} />);
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
      const address = staysHere ? withCode(order) : orderAddress("order-pay", order);
      const refreshAddress = looks < PAY_LOOKS ? `${address}&looks=${looks + 1}` : undefined;
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
    }),
  );

  router.get(
    "/checkout/status/:id",
    page(async (request, response) => {
      const order = await byPath(request);
      // Now and then the page asks for more than the shop knows: so a lost webhook does not keep a shopper waiting.
      const asked = needsPayment(order) && queryText(request, "ask") === "1";
      const known = asked ? await paymentStatus(order) : undefined;
      const current = asked ? ((await findOrder(database, order.id)) ?? order) : order;
      response.set("Cache-Control", "no-store").json(liveStatus(current, known));
    }),
  );

  router.get(
    "/checkout/return",
    page(async (request, response) => {
      const order = await orderByKey(context, queryText(request, "order"), queryText(request, "key"));
      if (isCancelled(order)) return response.redirect(303, "/cart?notice=cancelled");
      if (!needsPayment(order)) return response.redirect(303, orderAddress("order-received", order));
      const status = await paymentStatus(order);
      if (status === "cancelled") return response.redirect(303, "/cart?notice=cancelled");
      if (status === "payable" || status === "expired") {
        // A phone whose shopper has just come back is not led away again.
        return response.redirect(303, isPhone(request) ? withCode(order) : orderAddress("order-pay", order));
      }
      if (status === "paid" && (await isSettled(order))) {
        return response.redirect(303, orderAddress("order-received", order));
      }
      return showChecking(request, response, order);
    }),
  );

  /** The connector says paid: whether the shop's order says so, too. */
  const isSettled = async (order: Order): Promise<boolean> => {
    const current = await findOrder(database, order.id);
    return current !== undefined && !needsPayment(current);
  };

  const showChecking = async (request: Request, response: Response, order: Order): Promise<void> => {
    const looks = looksOf(request);
    const address = returnAddress(order);
    const page = (
      <CheckingPage
        order={order}
        refreshAddress={looks < RETURN_LOOKS ? `${address}&looks=${looks + 1}` : undefined}
        retryAddress={address}
        cartPieces={await cartPieces(context, request, response)}
      />
    );
    sendPage(response, page);
  };

  router.get(
    "/checkout/order-received/:id",
    page(async (request, response) => {
      const order = await byPath(request);
      const refunds = await listRefunds(database, [order.id]);
      await emptyCartOf(database, order.id);
      const pieces = await cartPieces(context, request, response);
      sendPage(response, <OrderReceivedPage order={order} refunds={refunds} cartPieces={pieces} />);
    }),
  );
}

/** The order-pay page itself, also on a phone. */
const withCode = (order: Order): string => `${orderAddress("order-pay", order)}&show=code`;

/** The order-pay page's status: the state of the payment, and the next address if there is one. */
function liveStatus(
  order: Order,
  known: PaymentStatus | undefined,
): { status: PaymentStatus; order_status: string; next: string | null } {
  const answer = (status: PaymentStatus, next: string | null) => ({
    status,
    order_status: order.status,
    next,
  });
  if (isCancelled(order)) return answer("cancelled", "/cart?notice=cancelled");
  if (!needsPayment(order)) return answer("paid", orderAddress("order-received", order));
  if (known === "cancelled") return answer("cancelled", "/cart?notice=cancelled");
  if (known === "paid") return answer("paid", returnAddress(order));
  if (order.status === "failed" && known !== "payable") return answer("expired", null);
  return answer(known ?? "payable", null);
}
