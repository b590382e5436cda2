import type { CheckoutView } from "@tillgate/contract";

export type Shopper = NonNullable<CheckoutView["shopper"]>;
export type Wallet = Shopper["wallets"][number];
export type Quote = NonNullable<CheckoutView["quote"]>;

/**
 * The wallet that the page offers: the one that the shopper chose, else the one with a held rate, else the one in the
 * order's currency. Null where the shopper has to choose.
 */
export function chosenWallet(
  { shopper, quote }: Pick<CheckoutView, "shopper" | "quote">,
  currency: string | null,
): Wallet | null {
  const wallets = shopper?.wallets ?? [];
  return (
    wallets.find((wallet) => wallet.currency === currency) ??
    wallets.find((wallet) => wallet.wallet_id === quote?.wallet_id) ??
    wallets.find((wallet) => !wallet.converts) ??
    null
  );
}

/** The rate that is held for a wallet, if one is. */
export const quoteOf = ({ quote }: Pick<CheckoutView, "quote">, wallet: Wallet): Quote | null =>
  quote?.wallet_id === wallet.wallet_id ? quote : null;
