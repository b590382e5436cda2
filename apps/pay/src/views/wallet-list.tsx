import type { CheckoutView } from "@tillgate/contract";
import type { ReactNode } from "react";
import { pageAddress, WALLET_TOP_UP, withQuery } from "#http/addresses.ts";
import { NoWrapAmounts, useLocalization } from "./localization";
import type { OrderScreen } from "./screen";
import { StepForm } from "./step-form";

export type Shopper = NonNullable<CheckoutView["shopper"]>;
export type Wallet = Shopper["wallets"][number];
export type Quote = NonNullable<CheckoutView["quote"]>;

/**
 * Finds the preselected wallet: the shopper's choice if it has a price, otherwise the wallet with the quote, otherwise the wallet in the order's
 * currency. Returns null if the shopper must choose, or has no wallet.
 */
export function findChosenWallet(
  { shopper, quote }: Pick<CheckoutView, "shopper" | "quote">,
  currency: string | null,
): Wallet | null {
  const wallets = shopper?.wallets ?? [];
  return (
    wallets.find((wallet) => wallet.currency === currency && wallet.price !== null) ??
    wallets.find((wallet) => wallet.wallet_id === quote?.wallet_id) ??
    wallets.find((wallet) => !wallet.converts) ??
    null
  );
}

export const findQuote = ({ quote }: Pick<CheckoutView, "quote">, wallet: Wallet): Quote | null =>
  quote?.wallet_id === wallet.wallet_id ? quote : null;

export type WalletListProps = OrderScreen & {
  shopper: Shopper;
  chosen: Wallet | null;
};

/** Renders all wallets of the shopper. Selecting a wallet in another currency requests its rate. */
export function WalletList(props: WalletListProps): ReactNode {
  const { texts } = useLocalization();
  const { shopper, chosen } = props;
  return (
    <>
      <h3 className="label" id="wallets-title">
        {texts.wallet.choose}
      </h3>
      <ul className="wallets" aria-labelledby="wallets-title">
        {shopper.wallets.map((wallet) => (
          <li key={wallet.wallet_id} data-testid={`pay-wallet-${wallet.currency}`}>
            <Choice {...props} wallet={wallet} isChosen={wallet.wallet_id === chosen?.wallet_id} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Choice({
  token,
  view,
  wallet,
  isChosen,
}: WalletListProps & { wallet: Wallet; isChosen: boolean }): ReactNode {
  const { texts, fill, sum } = useLocalization();
  if (isChosen) {
    return (
      <div className="wallet chosen">
        <WalletLabel wallet={wallet} balanceId="pay-balance" />
        <span className="unseen">{texts.wallet.chosen}</span>
      </div>
    );
  }
  if (wallet.price === null || !wallet.sufficient) {
    const why =
      wallet.price === null
        ? fill(texts.wallet.noRate, { currency: view.order.currency })
        : wallet.missing === null
          ? fill(texts.wallet.notEnough, { currency: wallet.currency })
          : fill(texts.wallet.missing, { missing: sum(wallet.missing) });
    return (
      <div className="wallet off">
        <WalletLabel wallet={wallet} more={why} />
      </div>
    );
  }
  if (!wallet.converts || findQuote(view, wallet) !== null) {
    return (
      <a className="wallet" href={pageAddress(token, { wallet: wallet.currency })}>
        <WalletLabel wallet={wallet} />
      </a>
    );
  }
  return (
    <StepForm token={token} step="quote" formToken={view.form_token}>
      <input type="hidden" name="wallet_id" value={wallet.wallet_id} />
      <input type="hidden" name="wallet" value={wallet.currency} />
      <button type="submit" className="wallet">
        <WalletLabel wallet={wallet} more={fill(texts.wallet.about, { price: sum(wallet.price) })} />
      </button>
    </StepForm>
  );
}

function WalletLabel({
  wallet,
  more,
  balanceId,
}: {
  wallet: Wallet;
  more?: string;
  balanceId?: string;
}): ReactNode {
  const { texts, fill, sum } = useLocalization();
  return (
    <>
      <span className="wallet-name">{fill(texts.wallet.name, { currency: wallet.currency })}</span>{" "}
      <strong data-testid={balanceId} data-amount={wallet.balance}>
        <NoWrapAmounts>{sum(wallet.balance)}</NoWrapAmounts>
      </strong>{" "}
      {more === undefined ? null : (
        <small>
          <NoWrapAmounts>{more}</NoWrapAmounts>
        </small>
      )}
    </>
  );
}

export type TopUpLinkProps = {
  token: string;
  /** The required amount in API format. */
  amount: string | null;
};

/** Renders the sandbox-only link to the top-up page, which returns the shopper to the payment. */
export function TopUpLink({ token, amount }: TopUpLinkProps): ReactNode {
  const { texts } = useLocalization();
  const [number = null, currency = null] = amount?.split(" ") ?? [];
  return (
    <a
      className="button main"
      href={withQuery(WALLET_TOP_UP, { order: token, amount: number, currency })}
      data-testid="pay-top-up"
    >
      {texts.account.topUp.title}
    </a>
  );
}
