import { randomUUID } from "node:crypto";
import { ErrorCode } from "@tillgate/contract";
import { ledger, type OrderModel } from "@tillgate/database";
import { formatAmount } from "@tillgate/money";
import { parseTraceparent, withSpan } from "@tillgate/service/tracing";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { callLedger, callLedgerGroup } from "../ledger/call.js";
import { type GroupedWork, runGrouped } from "../ledger/group-commit.js";
import type { IdSpaces } from "../platform/ids.js";
import type { Checkout, Wallet } from "./read.js";

export type PaymentToWrite = {
  order: Pick<OrderModel, "id" | "mode" | "merchantId" | "traceparent">;
  source: { payerAccountId: string } | { quoteId: string; walletUserId: string };
  /** Whether to top up the wallet before it pays, for the sandbox's test shopper. */
  topUp: boolean;
  confirmation: ledger.PasskeyConfirmation | null;
  /** ID of the page's request, for the order's timeline. */
  requestId: string;
};

/**
 * Writes a payment, possibly in one transaction with concurrent payments to the merchant. Continues the order's trace, if any.
 * @throws the errors of `callLedger` and `runGrouped`.
 */
export async function writePayment(context: Context, payment: PaymentToWrite): Promise<OrderModel> {
  const { id, traceparent } = payment.order;
  const attributes = { "tillgate.order_id": id, "tillgate.request_id": payment.requestId };
  const paid = await withSpan("pay order", { parent: parseTraceparent(traceparent), attributes }, () =>
    runGrouped(context, groupedPayments, payment),
  );
  context.changes.notify(paid.id);
  context.counters.moved("payment", paid);
  return paid;
}

const groupedPayments: GroupedWork<PaymentToWrite, OrderModel> = {
  partitionOf: ({ order }) => `${order.mode} ${order.merchantId}`,
  conflictKeysOf: ({ order, source, confirmation }) => [
    order.id,
    ...("quoteId" in source ? [source.quoteId] : []),
    ...(confirmation === null ? [] : [confirmation.passkey_id]),
  ],
  runGroup: (context, items) => callLedgerGroup(context, paymentCall, items, () => null),
  runOne: (context, item) =>
    callLedger(context, paymentCall.ledgerFunction, () =>
      paymentCall.createArguments(context.memory.ids, item),
    ),
};

const paymentCall = {
  ledgerFunction: ledger.payOrders,
  createArguments: (ids: IdSpaces, { order, source, topUp, confirmation, requestId }: PaymentToWrite) => ({
    orderId: order.id,
    mode: order.mode,
    payerAccountId: null,
    quoteId: null,
    walletUserId: null,
    ...source,
    trxId: ids.payment.next(order.merchantId),
    transferId: randomUUID(),
    topUpTransferId: topUp ? randomUUID() : null,
    confirmation: confirmation && JSON.stringify(confirmation),
    requestId,
  }),
  idOf: ({ orderId }: { orderId: string }) => orderId,
  toDone: (order: OrderModel) => ({ id: order.id, done: order }),
};

export type PaymentPlan = { walletId: string } & ({ by: "wallet" } | { by: "quote"; quoteId: string });

export type PaymentChoice = { wallet_id?: string | undefined; quote_id?: string | undefined };

/** Returns the missing amount, formatted; null if the balance suffices. @param amount in the wallet's minor units. */
export const computeShortfall = (
  { balance, currency }: Pick<Wallet, "balance" | "currency">,
  amount: bigint,
): string | null => (balance >= amount ? null : formatAmount(amount - balance, currency));

function requireSufficientBalance(wallet: Wallet, amount: bigint): void {
  if (wallet.closed) throw new OperationError(ErrorCode.WalletClosed);
  const missing = computeShortfall(wallet, amount);
  if (missing !== null)
    throw new OperationError(ErrorCode.InsufficientBalance, wallet.hidden ? {} : { missing });
}

/**
 * Decides which wallet pays, and at which quote if the wallet's currency differs from the order's.
 * @param checkout read with the chosen quote's ID, so that its offer is that quote or null.
 * @throws OperationError NoWallet, WalletClosed, NoRate; ShopperQuoteUnusable, including for a wallet in another currency without a quote;
 * InsufficientBalance, with the missing amount unless balances are hidden.
 */
export function decidePayment(
  { order, wallets, offer }: Pick<Checkout, "wallets" | "offer"> & { order: Pick<OrderModel, "currency"> },
  { wallet_id: walletId, quote_id: quoteId }: PaymentChoice,
): PaymentPlan {
  if (quoteId !== undefined) {
    const wallet = wallets.find(({ id }) => id === offer?.accountId);
    if (!offer || !wallet || (walletId !== undefined && walletId !== offer.accountId))
      throw new OperationError(ErrorCode.ShopperQuoteUnusable);
    requireSufficientBalance(wallet, offer.amount);
    return { by: "quote", quoteId: offer.id, walletId: wallet.id };
  }
  const wallet = wallets.find(({ id, currency }) =>
    walletId === undefined ? currency.code === order.currency : id === walletId,
  );
  if (!wallet) throw new OperationError(ErrorCode.NoWallet);
  if (wallet.closed) throw new OperationError(ErrorCode.WalletClosed);
  if (wallet.price === null) throw new OperationError(ErrorCode.NoRate);
  // A payment in another currency needs a quote.
  if (wallet.price.rate !== null) throw new OperationError(ErrorCode.ShopperQuoteUnusable);
  requireSufficientBalance(wallet, wallet.price.amount);
  return { by: "wallet", walletId: wallet.id };
}
