import type { ReactNode } from "react";
import { WALLET_FORGOT_PIN, WALLET_NEW, WALLET_SIGN_IN, withQuery } from "../../http/wallet-address";
import { Frame } from "../frame";
import { SignInFields } from "../sign-in-fields";
import { useWords } from "../use-words";
import { WalletMark } from "../wallet-mark";
import { WalletForm } from "./wallet-form";
import { Said } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

/** Signing in, in the mode of the address. */
export function SignInView(screen: ScreenOf<"sign_in">): ReactNode {
  const { texts } = useWords();
  const { view, notice, mode, next } = screen;
  const title = texts.account.signIn.title;
  const other = mode === "live" ? "sandbox" : "live";
  return (
    <Frame title={`${title} · Tillgate`} sandbox={mode === "sandbox"} wallet>
      <main className="page settled">
        <section className="card pay" aria-labelledby="sign-in-title">
          <h1 id="sign-in-title" className="with-mark">
            <WalletMark />
            {title}
          </h1>
          <Said {...screen} />
          <WalletForm to={withQuery(WALLET_SIGN_IN, { mode, next })} view={view} className="fields">
            <SignInFields notice={notice} />
            <button type="submit" className="button main" data-testid="pay-sign-in">
              {texts.signIn.submit}
            </button>
          </WalletForm>
          <p className="next">{texts.account.signIn.next}</p>
        </section>
        <p className="rest">
          <a href={withQuery(WALLET_FORGOT_PIN, { mode })}>{texts.account.forgot.title}</a>
          <a href={withQuery(WALLET_NEW, { mode })}>{texts.account.make.none}</a>
          <a href={withQuery(WALLET_SIGN_IN, { mode: other, next })} data-testid="wallet-other-mode">
            {texts.account.signIn[other]}
          </a>
        </p>
      </main>
    </Frame>
  );
}
