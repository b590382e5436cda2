import type { ReactNode } from "react";
import { pageAddress, WALLET_FORGOT_PIN, WALLET_NEW, withQuery } from "#http/addresses.ts";
import { SignInFields } from "./fields";
import { Phrase, useLocalization } from "./localization";
import { LostResponse, NoticeBox } from "./notice-box";
import { OrderMain } from "./order-main";
import { PasskeyForm } from "./passkeys";
import { ScanPanel } from "./scan-panel";
import type { OrderScreen } from "./screen";
import { WalletMark } from "./status-icon";
import { StepButton, StepForm, TestButtons } from "./step-form";
import { Summary } from "./summary";
import { WalletPanel } from "./wallet-panel";

function PayPanel(screen: OrderScreen): ReactNode {
  const { shopper } = screen.view;
  return (
    <section className="pay" aria-labelledby="pay-title">
      {shopper === null ? <SignIn {...screen} /> : <WalletPanel {...screen} shopper={shopper} />}
    </section>
  );
}

function SignIn({ token, view, notice }: OrderScreen): ReactNode {
  const { texts, fill } = useLocalization();
  return (
    <>
      <h2 id="pay-title" className="with-mark">
        <WalletMark />
        {texts.signIn.title}
      </h2>
      {view.recognised === null ? null : <Recognised token={token} view={view} name={view.recognised.name} />}
      <StepForm token={token} step="sign-in" formToken={view.form_token} className="fields">
        <SignInFields notice={notice} />
        <StepButton
          testId="pay-sign-in"
          kind={view.recognised === null ? "main" : "quiet"}
          label={texts.signIn.submit}
          busy={texts.signIn.busy}
        />
      </StepForm>
      {view.open_shopper === null ? null : (
        <StepForm token={token} step="sandbox-sign-in" formToken={view.form_token} className="open-shopper">
          <StepButton
            testId="pay-open-sign-in"
            kind="quiet"
            label={fill(texts.sandbox.signIn, { name: view.open_shopper })}
            busy={texts.signIn.busy}
          />
          <p className="hint">{texts.sandbox.signInHint}</p>
        </StepForm>
      )}
      <p className="next">{texts.signIn.next}</p>
      <p className="next helps">
        <a href={withQuery(WALLET_NEW, { order: token })} data-testid="pay-no-wallet-yet">
          {texts.account.create.none}
        </a>
        <a
          href={withQuery(WALLET_FORGOT_PIN, { mode: view.order.mode, order: token })}
          data-testid="pay-forgot-pin"
        >
          {texts.account.forgot.title}
        </a>
      </p>
    </>
  );
}

/** Renders the one-touch payment for a shopper recognised on this device. Paying this way does not sign the shopper in. */
function Recognised({
  token,
  view,
  name,
}: Pick<OrderScreen, "token" | "view"> & { name: string }): ReactNode {
  const { texts, sum } = useLocalization();
  return (
    <PasskeyForm token={token} view={view} amount={sum(view.order.amount)}>
      <p data-testid="pay-recognised">
        <Phrase text={texts.passkey.recognised} placeholder="name">
          <strong>{name}</strong>
        </Phrase>
      </p>
    </PasskeyForm>
  );
}

export function Payable(screen: OrderScreen): ReactNode {
  const { texts } = useLocalization();
  const { token, view, notice } = screen;
  const { order, form_token } = view;
  return (
    <OrderMain token={token} view={view} className="payable">
      <Summary view={view} />
      <div className="card ways">
        <div className="here">
          <NoticeBox notice={notice} />
          <LostResponse />
          <PayPanel {...screen} />
          {order.mode === "sandbox" ? <TestButtons token={token} formToken={form_token} /> : null}
        </div>
        <ScanPanel token={token} view={view} />
      </div>
      <div className="rest">
        <p className="without-script">
          <a href={pageAddress(token)}>{texts.order.checkAgain}</a>
        </p>
        <details className="cancel">
          <summary data-testid="pay-cancel-open">{texts.cancel.open}</summary>
          <p>{texts.cancel.question}</p>
          <StepForm token={token} step="cancel" formToken={form_token}>
            <StepButton
              testId="pay-cancel"
              kind="danger"
              label={texts.cancel.confirm}
              busy={texts.cancel.busy}
            />
          </StepForm>
        </details>
      </div>
    </OrderMain>
  );
}
