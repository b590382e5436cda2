import type { AccountModel } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import type { Context } from "../../context.js";
import { currencyOf } from "../currencies.js";
import { signFormToken } from "./form-token.js";
import { type CheckoutOrder, orderByToken } from "./order-by-token.js";
import { returnAddress } from "./return-address.js";
import { findShopper } from "./wallet-session.js";

/** Who looks at a payment page: its random visitor id, and the wallet session if one is signed in. */
export type Viewer = { visitor: string; session: string | undefined };

export type CheckoutDetails = {
  order: CheckoutOrder;
  currency: Currency;
  /** Milliseconds until the order expires, by the database's clock. */
  expiresInMs: number;
  returnTo: string | null;
  shopper: { name: string; wallet: Pick<AccountModel, "id" | "balance"> | null } | null;
  formToken: string;
};

/**
 * All that the payment page shows of one order.
 * @throws OperationError OrderNotFound.
 */
export async function viewCheckout(
  context: Context,
  token: string,
  viewer: Viewer,
): Promise<CheckoutDetails> {
  const order = await orderByToken(context, token);
  const [currency, expiresInMs, shopper, formToken] = await Promise.all([
    currencyOf(context, order.currency),
    millisecondsUntil(context, order.expiresAt),
    findShopper(context, viewer.session, order.mode),
    signFormToken(context, { orderId: order.id, ...viewer }),
  ]);
  return {
    order,
    currency,
    expiresInMs,
    returnTo: returnAddress(order),
    shopper: shopper && { name: shopper.name, wallet: await findWallet(context, shopper.id, order.currency) },
    formToken,
  };
}

/** The wallet that pays: open, of this user, in the order's currency. */
export const findWallet = (
  context: Context,
  walletUserId: string,
  currency: string,
): Promise<Pick<AccountModel, "id" | "balance"> | null> =>
  context.database.prisma.account.findFirst({
    where: { walletUserId, currency, kind: "shopper", closedAt: null },
    select: { id: true, balance: true },
  });

/** How far a time is away by the database's clock, which alone decides expiry; never below 0. */
export async function millisecondsUntil(context: Context, time: Date): Promise<number> {
  const [row] = await context.database.prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return Math.max(0, time.getTime() - (row?.now.getTime() ?? time.getTime()));
}
