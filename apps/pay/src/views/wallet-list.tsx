import type { ReactNode } from "react";
import { pageAddress } from "../http/page-address";
import type { OrderScreen } from "./screen";
import { StepForm } from "./step-form";
import { useWords } from "./use-words";
import { quoteOf, type Shopper, type Wallet } from "./wallet-choice";
import { WholeSums } from "./whole-sums";

export type WalletListProps = OrderScreen & {
  shopper: Shopper;
  chosen: Wallet | null;
};

/** All wallets of the shopper. One in another currency is chosen by asking for its rate. */
export function WalletList(props: WalletListProps): ReactNode {
  const { texts } = useWords();
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
  const { texts, fill, sum } = useWords();
  if (isChosen) {
    return (
      <div className="wallet chosen">
        <Words wallet={wallet} balanceId="pay-balance" />
        <span className="unseen">{texts.wallet.chosen}</span>
      </div>
    );
  }
  if (wallet.price === null || !wallet.sufficient) {
    const why =
      wallet.missing === null
        ? fill(texts.wallet.noRate, { currency: view.order.currency })
        : fill(texts.wallet.missing, { missing: sum(wallet.missing) });
    return (
      <div className="wallet off">
        <Words wallet={wallet} more={why} />
      </div>
    );
  }
  if (!wallet.converts || quoteOf(view, wallet) !== null) {
    return (
      <a className="wallet" href={pageAddress(token, { wallet: wallet.currency })}>
        <Words wallet={wallet} />
      </a>
    );
  }
  return (
    <StepForm token={token} step="quote" formToken={view.form_token}>
      <input type="hidden" name="wallet_id" value={wallet.wallet_id} />
      <input type="hidden" name="wallet" value={wallet.currency} />
      <button type="submit" className="wallet">
        <Words wallet={wallet} more={fill(texts.wallet.about, { price: sum(wallet.price) })} />
      </button>
    </StepForm>
  );
}

function Words({
  wallet,
  more,
  balanceId,
}: {
  wallet: Wallet;
  more?: string;
  balanceId?: string;
}): ReactNode {
  const { texts, fill, sum } = useWords();
  return (
    <>
      <span className="wallet-name">{fill(texts.wallet.name, { currency: wallet.currency })}</span>{" "}
      <strong data-testid={balanceId} data-amount={wallet.balance}>
        <WholeSums>{sum(wallet.balance)}</WholeSums>
      </strong>{" "}
      {more === undefined ? null : (
        <small>
          <WholeSums>{more}</WholeSums>
        </small>
      )}
    </>
  );
}
