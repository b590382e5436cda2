import type { ReactNode } from "react";
import { WALLET, WALLET_ACTIVITY, withQuery } from "#http/addresses.ts";
import { NoWrapAmounts, useLocalization } from "#views/localization.tsx";
import { ActivityList } from "./activity";
import { WalletFrame } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

export function HomeView(screen: ScreenOf<"home">): ReactNode {
  const { texts, fill, sum } = useLocalization();
  const { view, activity } = screen;
  return (
    <WalletFrame {...screen} title={texts.account.nav.home} here={WALLET}>
      <section className="card" aria-labelledby="balances-title">
        <h2 id="balances-title">{texts.account.balances.title}</h2>
        {view.wallets.length === 0 ? (
          <p data-testid="wallet-no-balance">{texts.account.balances.none}</p>
        ) : (
          <ul className="balances">
            {view.wallets.map(({ wallet_id, currency, balance }) => (
              <li key={wallet_id}>
                <a href={withQuery(WALLET_ACTIVITY, { currency })} data-testid={`wallet-balance-${currency}`}>
                  <span>{fill(texts.wallet.name, { currency })}</span>{" "}
                  <strong data-amount={balance}>
                    <NoWrapAmounts>{sum(balance)}</NoWrapAmounts>
                  </strong>
                </a>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className="card" aria-labelledby="latest-title">
        <h2 id="latest-title">{texts.account.latest}</h2>
        <ActivityList activity={activity.activity} />
        {activity.next === null ? null : (
          <a className="button plain" href={WALLET_ACTIVITY} data-testid="wallet-all-activity">
            {texts.account.all}
          </a>
        )}
      </section>
    </WalletFrame>
  );
}
