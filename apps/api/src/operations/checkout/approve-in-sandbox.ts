import { Refusal } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { WalletClosedError } from "../../ledger/refusals.js";
import { OperationError } from "../../operation-error.js";
import type { Done } from "./pay-order.js";
import { writePayment } from "./payment-sets.js";
import { type Checkout, readCheckout } from "./read-checkout.js";
import { isTooLate, whyTooLate } from "./too-late.js";

/**
 * Approves an order in the sandbox: its merchant's built-in test shopper pays, from money issued for this order. A repeat
 * after its own success moves nothing.
 * @throws OperationError SandboxOnly, OrderAlreadyPaid, OrderCancelled, OrderExpired, WalletClosed.
 */
export async function approveInSandbox(
  context: Context,
  { order, payment }: Checkout,
  requestId: string,
): Promise<Pick<Done, "order" | "repeated">> {
  if (order.mode !== "sandbox") throw new OperationError(Refusal.SandboxOnly);
  if (payment?.inTest) return { order, repeated: true };
  const wallet = await testWallet(context, order);
  try {
    const paid = await writePayment(context, {
      order,
      source: { payerAccountId: wallet },
      topUp: true,
      confirmation: null,
      requestId,
    });
    return { order: paid, repeated: false };
  } catch (error) {
    if (error instanceof WalletClosedError) throw new OperationError(Refusal.WalletClosed);
    if (!isTooLate(error)) throw error;
    const now = await readCheckout(context, order.token, undefined);
    if (now.payment?.inTest) return { order: now.order, repeated: true };
    throw await whyTooLate(context, order);
  }
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
