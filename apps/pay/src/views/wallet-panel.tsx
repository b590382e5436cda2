import type { ReactNode } from "react";
import { Confirm } from "./confirm";
import { NoWrapAmounts, Phrase, useLocalization } from "./localization";
import type { OrderScreen } from "./screen";
import { WalletMark } from "./status-icon";
import { StepButton, StepForm } from "./step-form";
import { findChosenWallet, type Shopper, TopUpLink, WalletList } from "./wallet-list";

/** Renders the signed-in shopper, the choice of wallet and the pay button, or advice if no wallet is chosen. */
export function WalletPanel(props: OrderScreen & { shopper: Shopper }): ReactNode {
  const { texts, fill, sum } = useLocalization();
  const { token, view, shopper, show } = props;
  const { order, form_token } = view;
  const names = { currency: order.currency };
  const chosenWallet = findChosenWallet(view, show.wallet);
  const several = shopper.wallets.length > 1 || (chosenWallet === null && shopper.wallets.length > 0);
  return (
    <>
      <h2 id="pay-title" className="with-mark">
        <WalletMark />
        {texts.signIn.title}
      </h2>
      <div className="account">
        <p data-testid="pay-shopper">
          <Phrase text={texts.wallet.signedIn} placeholder="name">
            <strong>{shopper.name}</strong>
          </Phrase>
        </p>
        <StepForm token={token} step="sign-out" formToken={form_token}>
          <StepButton
            testId="pay-sign-out"
            kind="plain"
            label={texts.wallet.signOut}
            busy={texts.wallet.signOutBusy}
          />
        </StepForm>
      </div>
      {shopper.wrong_pins_elsewhere ? (
        <p className="advice" data-testid="pay-wrong-pins-elsewhere">
          <strong>{texts.wallet.wrongPinsElsewhere}</strong> {texts.wallet.wrongPinsElsewhereAdvice}
        </p>
      ) : null}
      {several ? <WalletList {...props} chosen={chosenWallet} /> : null}
      {several || chosenWallet === null ? null : (
        <p className="balance">
          <span>{fill(texts.wallet.name, { currency: chosenWallet.currency })}</span>{" "}
          <strong data-testid="pay-balance" data-amount={chosenWallet.balance}>
            <NoWrapAmounts>{sum(chosenWallet.balance)}</NoWrapAmounts>
          </strong>
        </p>
      )}
      {chosenWallet === null ? (
        <div className="advice" data-testid="pay-no-wallet">
          {shopper.wallets.some(({ price, sufficient }) => price !== null && sufficient) ? (
            <p>{fill(texts.wallet.chooseAdvice, names)}</p>
          ) : (
            <MissingWallet {...props} />
          )}
        </div>
      ) : (
        <Confirm {...props} wallet={chosenWallet} />
      )}
    </>
  );
}

/** Explains what to do if no wallet can pay: in the sandbox a top-up opens a wallet, in live mode the operator opens wallets. */
function MissingWallet({ token, view: { order } }: OrderScreen): ReactNode {
  const { texts, fill } = useLocalization();
  const { currency } = order;
  const isSandbox = order.mode === "sandbox";
  return (
    <>
      <p>
        <strong>{texts.wallet.none}</strong>
      </p>
      <p>{isSandbox ? fill(texts.wallet.noneTestAdvice, { currency }) : texts.account.create.live}</p>
      {isSandbox ? <TopUpLink token={token} amount={order.amount} /> : null}
      <p>{texts.wallet.noneAdvice}</p>
      {isSandbox ? <p>{texts.wallet.sandboxAdvice}</p> : null}
    </>
  );
}
