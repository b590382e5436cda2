import { Refusal } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import { formatAmount } from "@tillgate/money";
import { OperationError } from "../../operation-error.js";
import type { Checkout, Wallet } from "./read-checkout.js";

/** The source of a payment: a wallet in the order's currency, or a quote for another one. */
export type PaymentPlan = { walletId: string } & ({ by: "wallet" } | { by: "quote"; quoteId: string });

export type PaymentChoice = { wallet_id?: string | undefined; quote_id?: string | undefined };

/**
 * What a wallet lacks of an amount in its minor units, formatted; null where it suffices.
 */
export const missingFrom = (
  { balance, currency }: Pick<Wallet, "balance" | "currency">,
  amount: bigint,
): string | null => (balance >= amount ? null : formatAmount(amount - balance, currency));

/** @throws OperationError WalletClosed, InsufficientBalance. */
function mustHold(wallet: Wallet, amount: bigint): void {
  if (wallet.closed) throw new OperationError(Refusal.WalletClosed);
  const missing = missingFrom(wallet, amount);
  if (missing !== null)
    throw new OperationError(Refusal.InsufficientBalance, wallet.hidden ? {} : { missing });
}

/**
 * Decides the source of a payment from what was read. The database checks again what can race when the money moves.
 * @param checkout read with the chosen quote's id, so that its offer is that quote or none.
 * @throws OperationError NoWallet, WalletClosed, NoRate, ShopperQuoteUnusable, InsufficientBalance (with what is missing).
 */
export function decidePayment(
  { order, wallets, offer }: Pick<Checkout, "wallets" | "offer"> & { order: Pick<OrderModel, "currency"> },
  { wallet_id: walletId, quote_id: quoteId }: PaymentChoice,
): PaymentPlan {
  if (quoteId !== undefined) {
    const wallet = wallets.find(({ id }) => id === offer?.accountId);
    if (!offer || !wallet || (walletId !== undefined && walletId !== offer.accountId))
      throw new OperationError(Refusal.ShopperQuoteUnusable);
    mustHold(wallet, offer.amount);
    return { by: "quote", quoteId: offer.id, walletId: wallet.id };
  }
  const wallet = wallets.find(({ id, currency }) =>
    walletId === undefined ? currency.code === order.currency : id === walletId,
  );
  if (!wallet) throw new OperationError(Refusal.NoWallet);
  if (wallet.closed) throw new OperationError(Refusal.WalletClosed);
  if (wallet.price === null) throw new OperationError(Refusal.NoRate);
  // Only a quote fixes the price in another currency.
  if (wallet.price.rate !== null) throw new OperationError(Refusal.ShopperQuoteUnusable);
  mustHold(wallet, wallet.price.amount);
  return { by: "wallet", walletId: wallet.id };
}
