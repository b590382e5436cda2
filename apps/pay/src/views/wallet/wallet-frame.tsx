import type { WalletView } from "@tillgate/contract";
import type { ReactNode } from "react";
import { WALLET, WALLET_ACTIVITY, WALLET_CONVERT, WALLET_SECURITY, WALLET_TOP_UP } from "#http/addresses.ts";
import { Frame } from "#views/frame.tsx";
import { Phrase, useLocalization } from "#views/localization.tsx";
import { NoticeBox } from "#views/notice-box.tsx";
import { WalletMark } from "#views/status-icon.tsx";
import type { WalletCommon } from "./wallet-screen";

export type WalletFormProps = {
  to: string;
  view: Pick<WalletView, "form_token">;
  /** Action of the form, on a page with several forms; `id` is the action's object. */
  step?: string;
  id?: string;
  className?: string;
  children: ReactNode;
};

/** Renders a wallet form. The API makes resubmission safe. */
export function WalletForm({ to, view, step, id, className, children }: WalletFormProps): ReactNode {
  return (
    <form method="post" action={to} className={className}>
      <input type="hidden" name="form_token" value={view.form_token} />
      {step === undefined ? null : <input type="hidden" name="step" value={step} />}
      {id === undefined ? null : <input type="hidden" name="id" value={id} />}
      {children}
    </form>
  );
}

export type WalletFrameProps = WalletCommon & {
  title: string;
  here: string;
  children: ReactNode;
};

export function WalletFrame({
  view,
  notice,
  wrong,
  done,
  title,
  here,
  children,
}: WalletFrameProps): ReactNode {
  const { texts } = useLocalization();
  const { shopper } = view;
  const pages = [
    { address: WALLET, text: texts.account.nav.home },
    { address: WALLET_ACTIVITY, text: texts.account.nav.activity },
    ...(shopper?.mode === "sandbox"
      ? [
          { address: WALLET_TOP_UP, text: texts.account.topUp.title },
          { address: WALLET_CONVERT, text: texts.account.convert.title },
        ]
      : []),
    { address: WALLET_SECURITY, text: texts.account.nav.security },
  ];
  return (
    <Frame title={`${title} · Tillgate`} sandbox={shopper?.mode === "sandbox"} wallet>
      <div className="wallet-page">
        <section className="wallet-head" aria-label={texts.account.title}>
          <p className="with-mark">
            <WalletMark /> <strong>{texts.account.title}</strong>
          </p>
          {shopper === null ? null : (
            <div className="account">
              <p data-testid="wallet-shopper">
                <Phrase text={texts.wallet.signedIn} placeholder="name">
                  <strong>{shopper.name}</strong>
                </Phrase>
              </p>
              <WalletForm to={WALLET} view={view}>
                <button type="submit" className="button plain" data-testid="wallet-sign-out">
                  {texts.account.signOut}
                </button>
              </WalletForm>
            </div>
          )}
        </section>
        <nav className="wallet-nav" aria-label={texts.account.nav.label}>
          {pages.map(({ address, text }) => (
            <a key={address} href={address} aria-current={address === here ? "page" : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <main className="wallet-main">
          <h1>{title}</h1>
          <ResultNotice notice={notice} wrong={wrong} done={done} />
          {shopper?.wrong_pins_elsewhere ? (
            <p className="advice" data-testid="wallet-wrong-pins-elsewhere">
              <strong>{texts.wallet.wrongPinsElsewhere}</strong> {texts.wallet.wrongPinsElsewhereAdvice}
            </p>
          ) : null}
          {shopper?.hidden ? (
            <p className="advice" data-testid="wallet-hidden">
              {texts.account.hidden}
            </p>
          ) : null}
          {children}
        </main>
      </div>
    </Frame>
  );
}

export function ResultNotice({
  notice,
  wrong,
  done,
}: Pick<WalletCommon, "notice" | "wrong" | "done">): ReactNode {
  const { texts } = useLocalization();
  if (notice !== null) return <NoticeBox notice={notice} wallet focus={wrong.length === 0} />;
  if (done === null) return null;
  return (
    <p
      className="done"
      role="status"
      data-testid="wallet-done"
      data-done={done}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the result of the last step is what the reader needs first.
      autoFocus
    >
      {texts.account.done[done]}
    </p>
  );
}
