import { ErrorCode, type PaymentControl } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { WalletClosedError } from "../ledger/errors.js";
import { findTooLateError, getRejection, isTooLateError } from "../money/orders/expire.js";
import { convertPrice } from "../money/price.js";
import { takePaymentControl } from "../platform/test-controls.js";
import type { PayResult } from "./pay.js";
import { computeShortfall, writePayment } from "./payment-groups.js";
import { writeQuote } from "./quote.js";
import { type Checkout, readCheckout } from "./read.js";

const CURRENCIES_WITH_RATE = `
  SELECT c.code, c.digits::int AS digits, r.rate::text AS rate, r.spread_percent::text AS spread
  FROM currencies c CROSS JOIN LATERAL (
    SELECT x.rate, x.spread_percent FROM exchange_rates x
    WHERE x.mode = $1::mode AND x.base = c.code AND x.quote = $2 AND x.effective_from <= clock_timestamp()
    ORDER BY x.effective_from DESC, x.created_at DESC LIMIT 1) r
  WHERE c.active AND c.code <> $2 ORDER BY c.code`;

const rateSchema = z.object({ code: z.string(), digits: z.int(), rate: z.string(), spread: z.string() });

/**
 * Pays a sandbox order from the wallet of the merchant's test shopper, with newly issued money. A repeated call after success moves no money.
 * @param how the test control to apply; default: the merchant's control for the next payment, if any.
 * @throws OperationError SandboxOnly, OrderAlreadyPaid, OrderCancelled, OrderExpired, WalletClosed, PaymentLinkUsed; NotPayableNow for a
 * suspended merchant; InsufficientBalance if simulated; NoRate if a simulated conversion finds no rate to the order's currency.
 */
export async function approveInSandbox(
  context: Context,
  checkout: Checkout,
  { requestId, how }: { requestId: string; how?: PaymentControl },
): Promise<Pick<PayResult, "order" | "repeated">> {
  const { order, payment } = checkout;
  if (order.mode !== "sandbox") throw new OperationError(ErrorCode.SandboxOnly);
  if (payment?.inTest) return { order, repeated: true };
  const control =
    how ?? (order.status === "PENDING" ? await takePaymentControl(context, order.merchantId) : undefined);
  if (control === "payment_insufficient") rejectUnderfunded(checkout);
  try {
    const source =
      control === "payment_converted"
        ? await quoteTestWallet(context, checkout)
        : { payerAccountId: (await getTestWallet(context, order, order.currency)).id };
    const paid = await writePayment(context, { order, source, topUp: true, confirmation: null, requestId });
    return { order: paid, repeated: false };
  } catch (error) {
    if (error instanceof WalletClosedError) throw new OperationError(ErrorCode.WalletClosed);
    const paidMeanwhile = error instanceof OperationError && error.errorCode === ErrorCode.OrderAlreadyPaid;
    if (!isTooLateError(error) && !paidMeanwhile) throw error;
    const now = await readCheckout(context, order.token, undefined);
    if (now.payment?.inTest) return { order: now.order, repeated: true };
    throw await findTooLateError(context, order);
  }
}

/** Rejects a payment as if the wallet were empty. @throws OperationError InsufficientBalance, with the missing amount. */
function rejectUnderfunded({ order, currency }: Checkout): never {
  const missing = computeShortfall({ balance: 0n, currency }, order.amount);
  throw new OperationError(ErrorCode.InsufficientBalance, missing === null ? {} : { missing });
}

/**
 * Simulates a declined payment. Returns the order unchanged, because it stays payable.
 * @throws OperationError SandboxOnly, OrderAlreadyPaid, OrderCancelled, OrderExpired.
 */
export function declineInSandbox(order: OrderModel): OrderModel {
  if (order.mode !== "sandbox") throw new OperationError(ErrorCode.SandboxOnly);
  const rejection = getRejection(order.status);
  if (rejection) throw new OperationError(rejection);
  return order;
}

type TestWallet = { id: string; shopperId: string };

/** Returns the test shopper's wallet in a currency, opening the wallet on first use. Concurrent callers get the same wallet. */
async function getTestWallet(
  { database: { prisma } }: Context,
  { merchantId, mode }: OrderModel,
  currency: string,
): Promise<TestWallet> {
  const shopper = await prisma.walletUser.findUniqueOrThrow({
    where: { testOfMerchantId: merchantId },
    select: { id: true },
  });
  const wallet = { walletUserId: shopper.id, mode, currency, kind: "shopper" as const };
  const account = await prisma.account.findFirst({ where: wallet, select: { id: true } });
  if (account) return { id: account.id, shopperId: shopper.id };
  await prisma.account.createMany({ data: { ...wallet, balance: 0n }, skipDuplicates: true });
  const { id } = await prisma.account.findFirstOrThrow({ where: wallet, select: { id: true } });
  return { id, shopperId: shopper.id };
}

/**
 * Quotes the order in the alphabetically first currency, other than the order's, in which it has a price.
 * @throws OperationError NoRate if there is none.
 */
async function quoteTestWallet(
  context: Context,
  { order, currency }: Checkout,
): Promise<{ quoteId: string; walletUserId: string }> {
  const rates = await queryRows(context.database.pool, rateSchema, CURRENCIES_WITH_RATE, [
    order.mode,
    order.currency,
  ]);
  for (const { code, digits, rate, spread } of rates) {
    const price = convertPrice({ amount: order.amount, currency }, { code, digits }, { rate, spread });
    if (price === null || price.rate === null) continue;
    const { id, shopperId } = await getTestWallet(context, order, code);
    const wallet = {
      id,
      currency: { code, digits },
      balance: price.amount,
      closed: false,
      hidden: false,
      price,
    };
    const { offer } = await writeQuote(context, order, {
      shopperId,
      wallet,
      price: { amount: price.amount, rate: price.rate },
    });
    return { quoteId: offer.id, walletUserId: shopperId };
  }
  throw new OperationError(ErrorCode.NoRate);
}
