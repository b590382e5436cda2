import { Refusal } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { convertPrice } from "./convert-price.js";
import { writeQuote } from "./quote-wallet.js";
import type { Checkout } from "./read-checkout.js";

type TestWallet = { id: string; shopperId: string };

/** The wallet of a merchant's test shopper, opened at its first use; two that open it at once get the same. */
export async function testWallet(
  { database: { prisma } }: Context,
  { merchantId, mode }: OrderModel,
  currency: string,
): Promise<TestWallet> {
  const shopper = await prisma.walletUser.findUniqueOrThrow({
    where: { testOfMerchantId: merchantId },
    select: { id: true },
  });
  const wallet = { walletUserId: shopper.id, mode, currency, kind: "shopper" as const };
  const found = await prisma.account.findFirst({ where: wallet, select: { id: true } });
  if (found) return { id: found.id, shopperId: shopper.id };
  await prisma.account.createMany({ data: { ...wallet, balance: 0n }, skipDuplicates: true });
  const { id } = await prisma.account.findFirstOrThrow({ where: wallet, select: { id: true } });
  return { id, shopperId: shopper.id };
}

/** Currencies from which a rate leads to `$2` in the mode `$1` now, with the newest. */
const LEADING_RATES = `
  SELECT c.code, c.digits::int AS digits, r.rate::text AS rate, r.spread_percent::text AS spread
  FROM currencies c CROSS JOIN LATERAL (
    SELECT x.rate, x.spread_percent FROM exchange_rates x
    WHERE x.mode = $1::mode AND x.base = c.code AND x.quote = $2 AND x.effective_from <= clock_timestamp()
    ORDER BY x.effective_from DESC, x.created_at DESC LIMIT 1) r
  WHERE c.active AND c.code <> $2 ORDER BY c.code`;

const rateSchema = z.object({ code: z.string(), digits: z.int(), rate: z.string(), spread: z.string() });

/**
 * Quotes an order from a wallet of the test shopper in another currency: the first by its code that has a price.
 * @throws OperationError NoRate, WalletClosed, OrderAlreadyPaid, OrderCancelled, OrderExpired.
 */
export async function quoteTestWallet(
  context: Context,
  { order, currency }: Checkout,
): Promise<{ quoteId: string; walletUserId: string }> {
  const rates = await rowsOf(context.database.pool, rateSchema, LEADING_RATES, [order.mode, order.currency]);
  for (const { code, digits, rate, spread } of rates) {
    const price = convertPrice({ amount: order.amount, currency }, { code, digits }, { rate, spread });
    if (price === null || price.rate === null) continue;
    const { id, shopperId } = await testWallet(context, order, code);
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
  throw new OperationError(Refusal.NoRate);
}
