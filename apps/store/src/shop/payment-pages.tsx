import { qrSvg } from "@tillgate/qr";
import { createElement, type ReactElement, type ReactNode } from "react";
import { formatPrice } from "../amounts.js";
import type { Order } from "../orders/order.js";
import type { Payment } from "../payments/connector-client.js";
import { OrderSummary, orderAddress, returnAddress } from "./order-summary.js";
import { MessagePage, Page } from "./page.js";

/** The payment service's custom element (docs/embedding.md). Without its script only the link inside works. */
const TillgatePay = ({
  paymentUrl,
  returnUrl,
  children,
}: {
  paymentUrl: string;
  returnUrl: string;
  children: ReactNode;
}): ReactElement =>
  createElement("tillgate-pay", { "payment-url": paymentUrl, "return-url": returnUrl }, children);

/** Refresh interval without scripts, in seconds. */
const REFRESH_SECONDS = 8;
/** Longer than the script's own interval (public/checking.js), so that the script acts first. */
const CHECK_AGAIN_SECONDS = 5;

/** Formats the time left as `04:05`, with two digits each, like the page's script. */
const formatTimeLeft = (seconds: number): string =>
  [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");

/** Renders the shop's payment page for an order, with the QR code and a way to pay on this device. */
export function OrderPayPage({
  order,
  payment,
  phone,
  paymentScript,
  refreshAddress,
  scripted,
  cartPieces,
}: {
  order: Order;
  payment: Payment;
  /** Whether the shopper uses a phone. It cannot scan itself, so the QR code is behind a link. */
  phone: boolean;
  /** URL of the payment element's script; undefined if unavailable. */
  paymentScript: string | undefined;
  /** Next refresh without scripts; undefined after the last one. */
  refreshAddress: string | undefined;
  /** Whether the script cookie is set. */
  scripted: boolean;
  cartPieces: number;
}): ReactElement {
  const amount = formatPrice(order.total, order.currency);
  const refreshLink = <a href={orderAddress("order-pay", order)}>Refresh</a>;
  // Without script or refresh the countdown would be wrong, so it is hidden until the script runs.
  const live = scripted || refreshAddress === undefined ? "with-script" : undefined;
  const drawing = qrSvg(payment.qrData, { title: `QR code: pay ${amount} for order ${order.id}` });
  const code = (
    // SVG from our own package, generated from the data alone.
    <div
      className="code"
      data-testid="qr"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the SVG text is drawn by @tillgate/qr
      dangerouslySetInnerHTML={{ __html: drawing }}
    />
  );
  const steps = (
    <ol className="steps">
      <li>Scan the code with your phone’s camera.</li>
      <li>Check the amount and approve the payment in your wallet.</li>
      <li>
        <span className={live}>This page updates automatically.</span>
        {live && <span className="without-script">{refreshLink} when you have paid.</span>}
      </li>
    </ol>
  );
  return (
    <Page
      title={`Pay order ${order.id}`}
      cartPieces={cartPieces}
      scripts={["script-runs.js", "order-pay.js"]}
      paymentScript={paymentScript}
      refresh={
        refreshAddress === undefined
          ? undefined
          : { seconds: REFRESH_SECONDS, address: refreshAddress, scripted }
      }
    >
      <div
        className="pay"
        id="order-pay"
        data-testid="order-pay"
        data-status-address={orderAddress("status", order)}
        data-seconds-left={payment.secondsLeft}
      >
        <div className="pay-words">
          <p className="eyebrow">Order {String(order.id)}</p>
          <h1>
            Pay <span data-testid="order-pay-amount">{amount}</span>
          </h1>
          {payment.isTest ? (
            <p className="hint" data-testid="test-mode">
              <strong>Test mode:</strong> no real money is charged.
            </p>
          ) : null}
          {phone ? null : steps}
          <p>
            <a className="button" href={payment.paymentUrl} data-testid="pay-now">
              {phone ? "Pay now" : "Pay on this device"}
            </a>
          </p>
          {paymentScript === undefined || phone ? null : (
            <p>
              <TillgatePay paymentUrl={payment.paymentUrl} returnUrl={returnAddress(order)}>
                <a className="button secondary" href={payment.paymentUrl} data-testid="pay-in-shop">
                  Pay without leaving the shop
                </a>
              </TillgatePay>
            </p>
          )}
          <p
            role="status"
            className={live ? `live ${live}` : "live"}
            data-testid="payment-status"
            id="payment-status"
          >
            Waiting for your payment…
          </p>
          {payment.secondsLeft === undefined ? null : (
            <p className="hint" id="time-left">
              Time left: {formatTimeLeft(payment.secondsLeft)}
            </p>
          )}
          <p className="hidden-until-needed" id="expired" hidden>
            <a className="button" href={orderAddress("order-pay", order)} data-testid="new-code">
              Get a new code
            </a>
          </p>
        </div>
        {phone ? (
          <details>
            <summary data-testid="show-code">Show a code to pay with another device</summary>
            {steps}
            {code}
          </details>
        ) : (
          code
        )}
      </div>
      <OrderSummary order={order} refunds={[]} />
    </Page>
  );
}

/**
 * Redirects a phone to the payment page with a refresh, because the Content-Security-Policy's `form-action` forbids an HTTP redirect after
 * the checkout form. This page does not remain in the browser's history.
 */
export const ToPaymentPage = ({
  order,
  payment,
  cartPieces,
}: {
  order: Order;
  payment: Payment;
  cartPieces: number;
}): ReactElement => (
  <Page
    title={`Pay order ${order.id}`}
    cartPieces={cartPieces}
    refresh={{ seconds: 0, address: payment.paymentUrl, scripted: false }}
  >
    <div className="narrow" data-testid="to-payment">
      <p className="eyebrow">Order {String(order.id)}</p>
      <h1>Payment page</h1>
      <p>
        <a className="button" href={payment.paymentUrl} data-testid="pay-now">
          Pay {formatPrice(order.total, order.currency)} now
        </a>
      </p>
    </div>
  </Page>
);

/** Renders the page for an expired payment. */
export const ExpiredPage = ({ order, cartPieces }: { order: Order; cartPieces: number }): ReactElement => (
  <MessagePage
    title="The code has expired"
    text="You haven’t been charged. Your order is saved."
    next={[{ href: orderAddress("order-pay", order), label: "Get a new code", testId: "new-code" }]}
    testId="payment-expired"
    cartPieces={cartPieces}
  />
);

/** Renders the page for an order whose payment could not be requested: the connector rejected the request or did not respond. */
export const PaymentErrorPage = (props: { order: Order; text: string; cartPieces: number }): ReactElement => (
  <MessagePage
    title="We couldn’t start the payment"
    about={`Order ${props.order.id}`}
    text={props.text}
    role="alert"
    next={[
      { href: orderAddress("order-pay", props.order), label: "Try again", testId: "retry" },
      { href: "/cart", label: "Back to cart" },
    ]}
    testId="payment-error"
    cartPieces={props.cartPieces}
  />
);

/** Renders the page that is shown while the payment's outcome is unknown. */
export function CheckingPage({
  order,
  refreshAddress,
  retryAddress,
  cartPieces,
}: {
  order: Order;
  refreshAddress: string | undefined;
  retryAddress: string;
  cartPieces: number;
}): ReactElement {
  return (
    <Page
      title="Checking your payment"
      cartPieces={cartPieces}
      scripts={["checking.js"]}
      refresh={
        refreshAddress === undefined
          ? undefined
          : { seconds: CHECK_AGAIN_SECONDS, address: refreshAddress, scripted: false }
      }
    >
      <div className="narrow" data-testid="checking">
        <p className="eyebrow">Order {String(order.id)}</p>
        <h1>Checking your payment</h1>
        {refreshAddress === undefined ? (
          <>
            <p role="status">
              We still don’t know whether your payment went through. If you’ve been charged, your money is
              safe: the order is updated as soon as we hear. Please don’t pay again.
            </p>
            <p>
              <a className="button" href={retryAddress} data-testid="check-again">
                Check again
              </a>
            </p>
          </>
        ) : (
          <p role="status" className="live" id="checking" data-next={refreshAddress}>
            This takes a few seconds. The page updates automatically.
          </p>
        )}
      </div>
    </Page>
  );
}
