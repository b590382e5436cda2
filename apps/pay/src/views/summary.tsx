import type { ReactNode } from "react";
import { formatTimeLeft } from "#countdown.ts";
import type { Localization } from "#texts/localization.ts";
import { LocalTime, Phrase, useLocalization } from "./localization";
import type { OrderHead } from "./order-main";

const WORD = /[\p{L}\p{N}]/u;

/** Finds a reference as a whole word, ignoring case: "Order 109" contains 109, "Order 1099" does not. A blank reference counts as contained. */
export function containsReference(description: string | null, reference: string): boolean {
  const [text, needle] = [(description ?? "").toLowerCase(), reference.trim().toLowerCase()];
  if (needle === "") return true;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    const [before, after] = [text.slice(0, at).slice(-1), text.charAt(at + needle.length)];
    if (!WORD.test(before) && !WORD.test(after)) return true;
  }
  return false;
}

export type SummaryProps = {
  view: OrderHead;
  /** Whether the outcome is being checked; no countdown is then shown. */
  checking?: boolean;
};

export function Summary({ view, checking = false }: SummaryProps): ReactNode {
  const { texts } = useLocalization();
  const { order, merchant } = view;
  return (
    <header className="summary">
      <div className="who">
        <MerchantLogo merchant={merchant} />
        <h1 tabIndex={-1}>
          <Phrase text={texts.heading.PENDING} placeholder="merchant">
            <span data-testid="pay-merchant">{merchant.name}</span>
          </Phrase>
        </h1>
      </div>
      <p className="line">
        <Amount amount={order.amount} />
      </p>
      <Purpose view={view} />
      <div className="progress">
        <p className="status" data-testid="pay-status" data-status={order.status} tabIndex={-1}>
          <span className="dot" aria-hidden="true" />
          <span>{checking ? texts.check.status : texts.order.waiting}</span>
        </p>
        {checking ? null : <TimeLeft view={view} />}
      </div>
    </header>
  );
}

export function MerchantName({ merchant }: Pick<OrderHead, "merchant">): ReactNode {
  return (
    <p className="who">
      <MerchantLogo merchant={merchant} />
      <span data-testid="pay-merchant" data-line="">
        {merchant.name}
      </span>
    </p>
  );
}

/** Renders what the payment is for, and the reference unless the description contains it. @param numbered false if the reference is shown elsewhere */
export function Purpose({
  view: { order },
  numbered = true,
}: {
  view: OrderHead;
  numbered?: boolean;
}): ReactNode {
  const { texts } = useLocalization();
  return (
    <>
      {order.description === null ? null : (
        <p className="description" data-testid="pay-description" data-line="">
          <bdi>{order.description}</bdi>
        </p>
      )}
      {!numbered ||
      order.reference === null ||
      containsReference(order.description, order.reference) ? null : (
        <p className="reference" data-line="">
          <Phrase text={texts.order.reference} placeholder="reference">
            <bdi data-testid="pay-reference">{order.reference}</bdi>
          </Phrase>
        </p>
      )}
    </>
  );
}

function MerchantLogo({ merchant: { name, logo } }: Pick<OrderHead, "merchant">): ReactNode {
  if (logo !== null) {
    return (
      // biome-ignore lint/performance/noImgElement: Next's component needs its runtime, which is not shipped.
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

/** Minimum number of characters for each smaller text size, so that an amount fits on one line of a small phone with large text. */
const LONG_AMOUNT = [
  [18, "vast"],
  [15, "longest"],
  [12, "longer"],
  [9, "long"],
] as const;

export function Amount({ amount }: { amount: string }): ReactNode {
  const { money } = useLocalization();
  const text = money(amount);
  const size = LONG_AMOUNT.find(([characters]) => text.length >= characters)?.[1] ?? "";
  return (
    <bdi className={`amount sum ${size}`} data-testid="pay-amount" data-amount={amount}>
      {text}
    </bdi>
  );
}

function TimeLeft({ view }: { view: OrderHead }): ReactNode {
  const { texts } = useLocalization();
  return (
    <div className="time-left">
      <p className="with-script">
        <Phrase text={texts.order.timeLeft} placeholder="time">
          <span
            role="timer"
            data-testid="pay-countdown"
            data-expires-in-ms={view.expires_in_ms}
            data-last-minute={texts.order.lastMinute}
            data-last-seconds={texts.order.lastSeconds}
          >
            {formatTimeLeft(view.expires_in_ms)}
          </span>
        </Phrase>
      </p>
      <p className="without-script">
        <Phrase text={texts.order.payBefore} placeholder="time">
          <LocalTime time={view.order.expires_at} />
        </Phrase>
      </p>
    </div>
  );
}

export const orderTitle = ({ fill, money, texts }: Localization, { order, merchant }: OrderHead): string =>
  fill(texts.title[order.status], { amount: money(order.amount), merchant: merchant.name });
