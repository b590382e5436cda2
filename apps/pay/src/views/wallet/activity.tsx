import type { WalletActivity } from "@tillgate/contract";
import type { ReactNode } from "react";
import { WALLET_ACTIVITY, withQuery } from "#http/addresses.ts";
import type { Localization } from "#texts/localization.ts";
import { LocalTime, NoWrapAmounts, useLocalization } from "#views/localization.tsx";
import { WalletFrame } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

export const activityTitle = (
  { texts, fill }: Localization,
  { kind, merchant_name }: WalletActivity,
): string => fill(texts.account.kind[kind], { merchant: merchant_name ?? "" });

export function ActivityList({ activity }: { activity: readonly WalletActivity[] }): ReactNode {
  const localization = useLocalization();
  if (activity.length === 0)
    return <p data-testid="wallet-no-activity">{localization.texts.account.activity.none}</p>;
  return (
    <ul className="activity" data-testid="wallet-activity">
      {activity.map((item) => (
        <li key={item.id}>
          <a href={`${WALLET_ACTIVITY}/${item.id}`} data-kind={item.kind}>
            <span className="what">
              <bdi>{activityTitle(localization, item)}</bdi>
              {item.counter_amount === null ? null : (
                <small>
                  <NoWrapAmounts>
                    {localization.signed(item.counter_amount, item.direction === "in" ? "out" : "in")}
                  </NoWrapAmounts>
                </small>
              )}
              {item.merchant_amount === null ? null : (
                <small>
                  <NoWrapAmounts>{localization.sum(item.merchant_amount)}</NoWrapAmounts>
                </small>
              )}
              {item.description === null ? null : (
                <small>
                  <bdi>{item.description}</bdi>
                </small>
              )}
              <small>
                <LocalTime time={item.created_at} />
              </small>
            </span>{" "}
            <strong className={item.direction} data-amount={item.amount} data-direction={item.direction}>
              <NoWrapAmounts>{localization.signed(item.amount, item.direction)}</NoWrapAmounts>
            </strong>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function ActivityView(screen: ScreenOf<"activity">): ReactNode {
  const { texts } = useLocalization();
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
