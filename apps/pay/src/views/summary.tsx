import type { CheckoutView } from "@tillgate/contract";
import type { ReactNode } from "react";
import { formatTimeLeft } from "../countdown";
import { fill, texts } from "../texts";
import { Moment } from "./moment";
import { Phrase } from "./phrase";
import { Sign } from "./sign";

/** Who asks for how much for what, and how far it is: the head of every view of an order. */
export function Summary({ view }: { view: CheckoutView }): ReactNode {
  const { order } = view;
  const [initial = ""] = order.merchant_name.trim();
  return (
    <header className="summary">
      <div className="who">
        {order.status === "PENDING" ? (
          <span className="initial" aria-hidden="true">
            {initial.toUpperCase()}
          </span>
        ) : (
          <Sign status={order.status} />
        )}
        <h1>
          <Phrase text={texts.heading[order.status]} merchant={order.merchant_name} testId="pay-merchant" />
        </h1>
      </div>
      <p className="amount" data-testid="pay-amount">
        {order.amount}
      </p>
      {order.description === null ? null : (
        <p className="description" data-testid="pay-description">
          {order.description}
        </p>
      )}
      {order.reference === null ? null : (
        <p className="reference">
          {texts.order.reference} <span data-testid="pay-reference">{order.reference}</span>
        </p>
      )}
      <div className="progress">
        <p className="status" data-testid="pay-status" data-status={order.status} tabIndex={-1}>
          <span className="dot" aria-hidden="true" />
          <span>{texts.status[order.status]}</span>
        </p>
        {order.status === "PENDING" ? <TimeLeft view={view} /> : null}
      </div>
      {order.status === "PENDING" ? (
        <p className="connection" data-connection="" data-lost={texts.order.connectionLost} />
      ) : null}
    </header>
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
        >
          {formatTimeLeft(view.expires_in_ms)}
        </span>{" "}
        {texts.order.timeLeft}
      </p>
      <noscript>
        <p>
          {before}
          <Moment time={view.order.expires_at} />
          {after}
        </p>
      </noscript>
    </div>
  );
}

/** The text of the page's title for an order. */
export function orderTitle({ order }: CheckoutView): string {
  return fill(texts.title[order.status], { amount: order.amount, merchant: order.merchant_name });
}
