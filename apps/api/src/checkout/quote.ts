import { randomUUID } from "node:crypto";
import { ErrorCode, QUOTE_MINUTES } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import { queryFirstRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { invalidField, OperationError } from "../errors.js";
import { findTooLateError } from "../money/orders/expire.js";
import { marginAtSql } from "../money/price.js";
import { consumeQuoteLimit } from "../platform/shopper-limits.js";
import type { Checkout, Offer, Wallet } from "./read.js";

/** A repeated request gets the same quote if the quote's remaining validity is longer than this. */
const REUSED_ABOVE_MS = 60_000;

const quotedSchema = z.object({ created_at: z.date(), expires_at: z.date(), margin: z.string().nullable() });

/** `readAt` is database time. */
export type QuotedWallet = { offer: Offer; wallet: Wallet; readAt: Date };

type PricedWallet = { shopperId: string; wallet: Wallet; price: { amount: bigint; rate: string } };

/**
 * Quotes the amount that a wallet in another currency must pay for an order. Reuses the checkout's quote for the wallet if that quote is
 * valid for more than a minute.
 * @throws OperationError NotSignedIn, TooManyAttempts, NoWallet, WalletClosed, NoRate, InvalidFields (wallet_id in the order's own currency),
 * OrderAlreadyPaid, OrderCancelled, OrderExpired.
 */
export async function quoteWallet(
  context: Context,
  checkout: Checkout,
  walletId: string,
): Promise<QuotedWallet> {
  const { order, shopper, offer, readAt } = checkout;
  if (order.status !== "PENDING") throw await findTooLateError(context, order);
  if (!shopper) throw new OperationError(ErrorCode.NotSignedIn);
  await consumeQuoteLimit(context, shopper.id);
  const wallet = checkout.wallets.find(({ id }) => id === walletId);
  if (!wallet) throw new OperationError(ErrorCode.NoWallet);
  if (wallet.closed) throw new OperationError(ErrorCode.WalletClosed);
  if (wallet.price === null) throw new OperationError(ErrorCode.NoRate);
  const { amount, rate } = wallet.price;
  if (rate === null) throw invalidField("wallet_id", "must be a wallet in a currency other than the order's");
  if (offer?.accountId === wallet.id && offer.expiresAt.getTime() - readAt.getTime() > REUSED_ABOVE_MS)
    return { offer, wallet, readAt };
  return writeQuote(context, order, { shopperId: shopper.id, wallet, price: { amount, rate } });
}

/** Stores the quoted price of a pending order. @throws OperationError OrderAlreadyPaid, OrderCancelled, OrderExpired. */
export async function writeQuote(
  context: Context,
  order: OrderModel,
  { shopperId, wallet, price: { amount, rate } }: PricedWallet,
): Promise<QuotedWallet> {
  const id = randomUUID();
  const quoted = await queryFirstRow(
    context.database.pool,
    quotedSchema,
    `INSERT INTO shopper_quotes (id, mode, order_id, wallet_user_id, account_id, payer_currency, payer_amount, rate, created_at, expires_at)
     SELECT $1, o.mode, o.id, $3, $4, $5, $6, $7, now.at, least(o.expires_at, now.at + make_interval(secs => $8))
     FROM orders o CROSS JOIN (SELECT clock_timestamp() AS at) AS now
     WHERE o.id = $2 AND o.status = 'PENDING' AND o.expires_at > now.at RETURNING created_at, expires_at,
       ${marginAtSql({ mode: "mode", from: "payer_currency", to: "(SELECT currency FROM orders WHERE id = $2)", at: "shopper_quotes.created_at" })} AS margin`,
    [id, order.id, shopperId, wallet.id, wallet.currency.code, amount, rate, QUOTE_MINUTES * 60],
  );
  if (!quoted) throw await findTooLateError(context, order);
  return {
    offer: {
      id,
      accountId: wallet.id,
      currency: wallet.currency,
      amount,
      rate,
      marginPercent: quoted.margin,
      expiresAt: quoted.expires_at,
    },
    wallet,
    readAt: quoted.created_at,
  };
}
