import type { CheckoutLink } from "@tillgate/contract";
import type { ReactNode } from "react";
import { NoWrapAmounts, useLocalization } from "./localization";
import { Amount, MerchantName } from "./summary";

export type LinkFormProps = {
  link: CheckoutLink;
  /** The rejected input. */
  wrong: string | null;
};

export function LinkForm({ link, wrong }: LinkFormProps): ReactNode {
  const { texts } = useLocalization();
  return (
    <main className="page settled" data-testid="pay-link" data-state={link.state}>
      <div className="card link">
        <MerchantName merchant={link.merchant} />
        <h1 data-testid="pay-link-description">
          <bdi>{link.description}</bdi>
        </h1>
        {link.amount === null ? null : (
          <p className="line">
            <Amount amount={link.amount} />
          </p>
        )}
        {link.payment_url === null ? null : (
          <a className="button main" href={link.payment_url} data-testid="pay-link-go-on">
            {texts.link.resume}
          </a>
        )}
        {link.payment_url !== null && link.amount !== null ? null : (
          <form method="post">
            {link.amount === null ? <OpenAmount link={link} wrong={wrong} /> : null}
            <button
              type="submit"
              className={`button ${link.payment_url === null ? "main" : "quiet"}`}
              data-testid="pay-link-go"
            >
              {texts.link.go}
            </button>
          </form>
        )}
        <p className="hint">{texts.link.next}</p>
      </div>
    </main>
  );
}

function OpenAmount({ link, wrong }: LinkFormProps): ReactNode {
  const { texts, fill, ambiguity } = useLocalization();
  const bounds = boundsKind(link);
  const described = [...(wrong === null ? [] : ["link-wrong"]), ...(bounds === null ? [] : ["link-bounds"])];
  return (
    <>
      <label htmlFor="amount">{fill(texts.link.amount, { currency: link.currency })}</label>
      {wrong === null ? null : (
        <p className="notice error" id="link-wrong" role="alert" data-testid="pay-link-wrong">
          <NoWrapAmounts>{ambiguity(wrong, link.currency) ?? texts.link.wrongAmount}</NoWrapAmounts>
        </p>
      )}
      <input
        id="amount"
        name="amount"
        inputMode="decimal"
        autoComplete="transaction-amount"
        required
        maxLength={24}
        dir="ltr"
        defaultValue={wrong ?? ""}
        aria-invalid={wrong !== null || undefined}
        aria-describedby={described.length === 0 ? undefined : described.join(" ")}
        data-testid="pay-link-amount"
      />
      <Bounds link={link} />
    </>
  );
}

const boundsKind = ({
  min_amount: min,
  max_amount: max,
}: CheckoutLink): "between" | "atLeast" | "atMost" | null => {
  if (min !== null) return max === null ? "atLeast" : "between";
  return max === null ? null : "atMost";
};

function Bounds({ link }: { link: CheckoutLink }): ReactNode {
  const { texts, fill, money } = useLocalization();
  const bounds = boundsKind(link);
  if (bounds === null) return null;
  const format = (amount: string | null) => (amount === null ? "" : money(amount));
  return (
    <p className="hint" id="link-bounds">
      {fill(texts.link[bounds], { min: format(link.min_amount), max: format(link.max_amount) })}
    </p>
  );
}

/** Screens of a payment link page. `wrong` is the rejected input; `nonce` allows the inline style with the merchant's colour. */
export type LinkScreen =
  | { kind: "link"; link: CheckoutLink; wrong: string | null; nonce: string | null }
  | { kind: "rate_limited" | "unavailable" | "not_found" | "rejected" };
