import type { ReactNode } from "react";
import { WALLET_ACTIVITY, withQuery } from "../../http/wallet-address";
import { useWords } from "../use-words";
import { ActivityList } from "./activity-list";
import { WalletFrame } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

/** All movements, of one wallet or of all, a page at a time. */
export function ActivityView(screen: ScreenOf<"activity">): ReactNode {
  const { texts } = useWords();
  const { view, page, currency } = screen;
  return (
    <WalletFrame {...screen} title={texts.account.activity.title} here={WALLET_ACTIVITY}>
      {view.wallets.length > 1 || currency !== null ? (
        <nav className="filter" aria-label={texts.account.activity.filter}>
          {[null, ...view.wallets.map((wallet) => wallet.currency)].map((code) => (
            <a
              key={code}
              href={withQuery(WALLET_ACTIVITY, { currency: code })}
              aria-current={code === currency ? "true" : undefined}
            >
              {code ?? texts.account.activity.every}
            </a>
          ))}
        </nav>
      ) : null}
      <section className="card" aria-label={texts.account.activity.title}>
        <ActivityList activity={page.activity} />
      </section>
      {page.previous === null && page.next === null ? null : (
        <nav className="pages" aria-label={texts.account.activity.pages}>
          {page.previous === null ? null : (
            <a
              className="button quiet"
              href={withQuery(WALLET_ACTIVITY, { currency, after: page.previous })}
              data-testid="wallet-newer"
            >
              {texts.account.activity.newer}
            </a>
          )}
          {page.next === null ? null : (
            <a
              className="button quiet"
              href={withQuery(WALLET_ACTIVITY, { currency, before: page.next })}
              data-testid="wallet-older"
            >
              {texts.account.activity.older}
            </a>
          )}
        </nav>
      )}
    </WalletFrame>
  );
}
