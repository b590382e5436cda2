import type { ReactNode } from "react";
import { formatTimeLeft } from "#countdown.ts";
import { PinField } from "./fields";
import { LocalTime, NoWrapAmounts, useLocalization } from "./localization";
import { isFieldNotice } from "./notice-box";
import { PasskeyForm } from "./passkeys";
import type { OrderScreen } from "./screen";
import { StepButton, StepForm } from "./step-form";
import { findQuote, type Quote, type Shopper, TopUpLink, type Wallet } from "./wallet-list";

export type ConfirmProps = OrderScreen & {
  shopper: Shopper;
  wallet: Wallet;
};

/** Renders the pay button, a button that requests the current rate, or the reason why the wallet cannot pay. */
export function Confirm(props: ConfirmProps): ReactNode {
  const { texts } = useLocalization();
  const { view, wallet } = props;
  const quote = findQuote(view, wallet);
  if (quote?.sufficient) {
    return (
      <>
        <div className="held" data-quote="held">
          <QuoteTerms view={view} quote={quote} />
          <PayForm {...props} quote={quote} />
        </div>
        <div className="advice" data-quote="over" data-testid="pay-quote-over" hidden>
          <p>
            <strong>{texts.quote.over}</strong>
          </p>
          <RateRequest {...props} />
        </div>
      </>
    );
  }
  const missing = quote?.missing ?? wallet.missing;
  if (missing !== null || !wallet.sufficient) return <NotEnough {...props} missing={missing} />;
  if (!wallet.converts) return <PayForm {...props} quote={null} />;
  return (
    <div className="advice" data-testid="pay-quote-over">
      <RateRequest {...props} />
    </div>
  );
}

type PayFormProps = ConfirmProps & { quote: Quote | null };

/** Renders the pay button. If a passkey can replace the PIN, the PIN form is collapsed, but open without scripts or after a PIN error. */
function PayForm(props: PayFormProps): ReactNode {
  const { texts, sum } = useLocalization();
  const { shopper, notice, scripted } = props;
  const byPasskey = shopper.pin_needed && shopper.passkey;
  return (
    <>
      {byPasskey ? (
        <>
          <PasskeyForm {...props} amount={sum(getDebitedAmount(props))}>
            <PaysFrom {...props} />
          </PasskeyForm>
          <details className="or" open={!scripted || isFieldNotice(notice)}>
            <summary data-testid="pay-use-pin">{texts.passkey.usePin}</summary>
            <PinForm {...props} button="quiet" />
          </details>
        </>
      ) : (
        <PinForm {...props} button="main" />
      )}
      <p className="next">{texts.wallet.next}</p>
    </>
  );
}

const getDebitedAmount = ({ view, quote }: PayFormProps): string => quote?.pays ?? view.order.amount;

function PinForm({ button, ...props }: PayFormProps & { button: "main" | "quiet" }): ReactNode {
  const { texts, fill, sum } = useLocalization();
  const { token, view, shopper, notice } = props;
  return (
    <StepForm token={token} step="pay" formToken={view.form_token} className="fields">
      <PaysFrom {...props} />
      {shopper.pin_needed ? (
        <PinField label={texts.wallet.pin} testId="pay-pin" wrong={isFieldNotice(notice)} />
      ) : null}
      <StepButton
        testId="pay-confirm"
        kind={button}
        label={fill(texts.wallet.pay, { amount: sum(getDebitedAmount(props)) })}
        busy={texts.wallet.busy}
      />
    </StepForm>
  );
}

function PaysFrom({ wallet, quote }: PayFormProps): ReactNode {
  return (
    <>
      <input type="hidden" name="wallet" value={wallet.currency} />
      {quote === null ? (
        <input type="hidden" name="wallet_id" value={wallet.wallet_id} />
      ) : (
        <input type="hidden" name="quote_id" value={quote.quote_id} />
      )}
    </>
  );
}

function QuoteTerms({ view, quote }: { view: OrderScreen["view"]; quote: Quote }): ReactNode {
  const { texts, fill, sum, rate: sidesOf, rateLabel } = useLocalization();
  const rate = sidesOf(quote.rate, quote.from_currency, quote.to_currency);
  return (
    <dl data-testid="pay-quote">
      <div>
        <dt>{texts.quote.pays}</dt>
        <dd data-testid="pay-quote-pays" data-amount={quote.pays}>
          <NoWrapAmounts>{sum(quote.pays)}</NoWrapAmounts>
        </dd>
      </div>
      <div>
        <dt>{fill(texts.quote.receives, { merchant: view.merchant.name })}</dt>
        <dd>
          <NoWrapAmounts>{sum(quote.receives)}</NoWrapAmounts>
        </dd>
      </div>
      <div>
        <dt>{rateLabel(quote.margin_percent)}</dt>
        <dd data-testid="pay-quote-rate" data-rate={quote.rate}>
          <NoWrapAmounts>{fill(texts.quote.rateValue, rate)}</NoWrapAmounts>
        </dd>
      </div>
      <div className="with-script">
        <dt>{texts.quote.heldFor}</dt>
        <dd>
          <span role="timer" data-testid="pay-quote-countdown" data-expires-in-ms={quote.expires_in_ms}>
            {formatTimeLeft(quote.expires_in_ms)}
          </span>
        </dd>
      </div>
      <div className="without-script">
        <dt>{texts.quote.heldUntil}</dt>
        <dd>
          <LocalTime time={quote.expires_at} />
        </dd>
      </div>
    </dl>
  );
}

function RateRequest({ token, view, wallet }: ConfirmProps): ReactNode {
  const { texts } = useLocalization();
  return (
    <>
      <p>{texts.quote.overAdvice}</p>
      <StepForm token={token} step="quote" formToken={view.form_token}>
        <input type="hidden" name="wallet_id" value={wallet.wallet_id} />
        <input type="hidden" name="wallet" value={wallet.currency} />
        <StepButton
          testId="pay-quote-renew"
          kind="main"
          label={texts.quote.renew}
          busy={texts.quote.renewBusy}
        />
      </StepForm>
    </>
  );
}

function NotEnough({ token, view, wallet, missing }: ConfirmProps & { missing: string | null }): ReactNode {
  const { texts, fill, sum } = useLocalization();
  const names = {
    currency: wallet.currency,
    price: sum(findQuote(view, wallet)?.pays ?? wallet.price ?? view.order.amount),
    balance: sum(wallet.balance),
    missing: missing === null ? "" : sum(missing),
  };
  return (
    <div className="advice" data-testid="pay-insufficient">
      <p>
        <strong>{fill(texts.wallet.notEnough, names)}</strong>
      </p>
      <p>
        <NoWrapAmounts>
          {fill(missing === null ? texts.wallet.notEnoughHidden : texts.wallet.notEnoughAdvice, names)}
        </NoWrapAmounts>
      </p>
      {view.order.mode === "sandbox" ? (
        <>
          <p>{texts.wallet.notEnoughTestAdvice}</p>
          <TopUpLink token={token} amount={missing} />
          <p>{texts.wallet.sandboxAdvice}</p>
        </>
      ) : (
        <p>{texts.wallet.notEnoughLiveAdvice}</p>
      )}
    </div>
  );
}
