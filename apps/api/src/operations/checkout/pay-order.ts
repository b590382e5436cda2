import { randomUUID } from "node:crypto";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { callLedger } from "../../ledger/call.js";
import { OrderOverdueError, OrderSettledError, WalletClosedError } from "../../ledger/refusals.js";
import { type OrderRow, orderFromRow } from "../../ledger/rows.js";
import { OperationError, Refusal } from "../errors.js";
import { expireOrder } from "../expire-order.js";
import { newTrxId } from "../ids.js";
import { findWallet } from "./view-checkout.js";
import { findShopper } from "./wallet-session.js";

const SETTLED = {
  PAID: Refusal.OrderAlreadyPaid,
  CANCELLED: Refusal.OrderCancelled,
  EXPIRED: Refusal.OrderExpired,
} as const;

/** What a shopper is told who comes too late. */
export const refusalOf = (status: OrderModel["status"]): Refusal | null =>
  status === "PENDING" ? null : SETTLED[status];

/**
 * Pays an order from the signed-in shopper's wallet in the order's currency. Against a cancel, an expiry or a second
 * payment at the same instant exactly one wins.
 * @throws OperationError NotSignedIn, NoWallet, InsufficientBalance, OrderAlreadyPaid, OrderCancelled, OrderExpired.
 */
export async function payOrder(
  context: Context,
  order: OrderModel,
  session: string | undefined,
): Promise<OrderModel> {
  const settled = refusalOf(order.status);
  if (settled) throw new OperationError(settled);
  const shopper = await findShopper(context, session, order.mode);
  if (!shopper) throw new OperationError(Refusal.NotSignedIn);
  const wallet = await findWallet(context, shopper.id, order.currency);
  if (!wallet) throw new OperationError(Refusal.NoWallet);
  return payFrom(context, order, wallet.id, { topUp: false });
}

/**
 * Approves an order in the sandbox: its merchant's built-in test shopper pays, from money issued for this order.
 * @throws OperationError SandboxOnly, OrderAlreadyPaid, OrderCancelled, OrderExpired.
 */
export async function approveInSandbox(context: Context, order: OrderModel): Promise<OrderModel> {
  if (order.mode !== "sandbox") throw new OperationError(Refusal.SandboxOnly);
  return payFrom(context, order, await testWallet(context, order), { topUp: true });
}

/** The test shopper's wallet in the order's currency, opened at its first use; two that open it at once get the same. */
async function testWallet(
  { database: { prisma } }: Context,
  { merchantId, mode, currency }: OrderModel,
): Promise<string> {
  const shopper = await prisma.walletUser.findUniqueOrThrow({
    where: { testOfMerchantId: merchantId },
    select: { id: true },
  });
  const wallet = { walletUserId: shopper.id, mode, currency, kind: "shopper" as const };
  const found = await prisma.account.findFirst({ where: wallet, select: { id: true } });
  if (found) return found.id;
  await prisma.account.createMany({ data: { ...wallet, balance: 0n }, skipDuplicates: true });
  return (await prisma.account.findFirstOrThrow({ where: wallet, select: { id: true } })).id;
}

async function payFrom(
  context: Context,
  order: OrderModel,
  accountId: string,
  { topUp }: { topUp: boolean },
): Promise<OrderModel> {
  try {
    const row = await callLedger<OrderRow>(context, "SELECT * FROM pay_order($1, $2, $3, $4, $5, $6)", () => [
      order.id,
      order.mode,
      accountId,
      newTrxId(),
      randomUUID(),
      topUp ? randomUUID() : null,
    ]);
    context.hints.changed(order.id);
    return orderFromRow(row);
  } catch (error) {
    if (error instanceof WalletClosedError) throw new OperationError(Refusal.NoWallet);
    throw await asLate(context, order, error);
  }
}

/** Names why an order can no longer be paid or cancelled on the page; a late one is expired in its own call. */
export async function asLate(context: Context, order: OrderModel, error: unknown): Promise<unknown> {
  if (error instanceof OrderOverdueError) await expireOrder(context, order);
  else if (!(error instanceof OrderSettledError)) return error;
  const { status } = await context.database.prisma.order.findUniqueOrThrow({
    where: { id: order.id },
    select: { status: true },
  });
  const refusal = refusalOf(status);
  return refusal ? new OperationError(refusal) : error;
}
