import type { CheckoutView } from "@tillgate/contract";
import type { ReactNode } from "react";
import { formatTimeLeft } from "../countdown";
import { fill, texts } from "../texts";
import { Moment } from "./moment";
import { Phrase } from "./phrase";
import { namesReference } from "./reference";
import { Sign } from "./sign";

export type SummaryProps = {
  view: CheckoutView;
  /** The page is finding out whether the order is paid: no clock runs. */
  checking?: boolean;
};

/** The head of every view of an order: merchant, amount, purpose and state. */
export function Summary({ view, checking = false }: SummaryProps): ReactNode {
  const { order, merchant } = view;
  return (
    <header className="summary">
      {order.status === "PENDING" ? null : <Sign status={order.status} />}
      <div className="who">
        {order.status === "PENDING" ? <Mark merchant={merchant} /> : null}
        <h1 data-line="" tabIndex={-1}>
          <Phrase text={texts.heading[order.status]} merchant={merchant.name} testId="pay-merchant" />
        </h1>
      </div>
      <Amount amount={order.amount} />
      {order.description === null ? null : (
        <p className="description" data-testid="pay-description" data-line="">
          {order.description}
        </p>
      )}
      {order.reference === null || namesReference(order.description, order.reference) ? null : (
        <p className="reference" data-line="">
          {texts.order.reference} <span data-testid="pay-reference">{order.reference}</span>
        </p>
      )}
      <div className="progress">
        <p className="status" data-testid="pay-status" data-status={order.status} tabIndex={-1}>
          <span className="dot" aria-hidden="true" />
          <span>{checking ? texts.check.status : texts.status[order.status]}</span>
        </p>
        {order.status === "PENDING" && !checking ? <TimeLeft view={view} /> : null}
      </div>
    </header>
  );
}

/** The merchant's logo, else its initial. The name stands beside it. */
function Mark({ merchant: { name, logo } }: Pick<CheckoutView, "merchant">): ReactNode {
  if (logo !== null) {
    return (
      // biome-ignore lint/performance/noImgElement: Next's own component needs its runtime, which is not shipped.
      <img
        className="logo"
        src={`/pay/logos/${logo.id}`}
        width={logo.width}
        height={logo.height}
        alt=""
        data-testid="pay-logo"
      />
    );
  }
  const [initial = ""] = name.trim();
  return (
    <span className="initial" aria-hidden="true">
      {initial.toUpperCase()}
    </span>
  );
}

/** From so many characters on an amount is set smaller, so that it stays on one line of a small phone with large text. */
const LONG = [
  [14, "longest"],
  [11, "longer"],
  [8, "long"],
] as const;

/** `41.50 EUR` with the currency set smaller. */
function Amount({ amount }: { amount: string }): ReactNode {
  const [number = "", currency = ""] = amount.split(" ");
  const size = LONG.find(([characters]) => number.length >= characters)?.[1] ?? "";
  return (
    <p className={`amount ${size}`} data-testid="pay-amount" data-line="">
      <span className="sum">{number}</span>
      <span className="unit"> {currency}</span>
    </p>
  );
}

function TimeLeft({ view }: { view: CheckoutView }): ReactNode {
  const [before = "", after = ""] = texts.order.payBefore.split("{time}");
  return (
    <div className="time-left">
      <p className="with-script">
        <span
          role="timer"
          data-testid="pay-countdown"
          data-expires-in-ms={view.expires_in_ms}
          data-last-minute={texts.order.lastMinute}
          data-last-seconds={texts.order.lastSeconds}
        >
          {formatTimeLeft(view.expires_in_ms)}
        </span>{" "}
        {texts.order.timeLeft}
      </p>
      <p className="without-script">
        {before}
        <Moment time={view.order.expires_at} />
        {after}
      </p>
    </div>
  );
}

/** The text of the page's title for an order. */
export function orderTitle({ order, merchant }: CheckoutView): string {
  return fill(texts.title[order.status], { amount: order.amount, merchant: merchant.name });
}
