import type { Context } from "../context.js";
import { getCurrency, type Money } from "../money/currencies.js";
import { PAID_FIELDS, type Received, refundReceived } from "../money/refunds/read.js";

const MAX_LISTED = 200;

export type PendingPayout = {
  id: string;
  mode: string;
  merchant: string;
  reference: string;
  amount: Money;
  fee: Money;
  receives: Money;
  recipient: string;
  recipientActive: boolean;
  createdAt: Date;
};

/** Lists up to 200 payouts that await an administrator's decision, oldest first. */
export async function listPendingPayouts(context: Context): Promise<PendingPayout[]> {
  const payouts = await context.database.prisma.payout.findMany({
    where: { status: "pending" },
    include: { merchant: { select: { name: true } }, walletUser: { select: { name: true, active: true } } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: MAX_LISTED,
  });
  return Promise.all(
    payouts.map(async (payout) => {
      const sender = await getCurrency(context, payout.senderCurrency);
      return {
        id: payout.id,
        mode: payout.mode,
        merchant: payout.merchant.name,
        reference: payout.reference,
        amount: { minor: payout.amount, currency: sender },
        fee: { minor: payout.fee, currency: sender },
        receives: {
          minor: payout.receiverAmount,
          currency: await getCurrency(context, payout.receiverCurrency),
        },
        recipient: payout.walletUser.name,
        recipientActive: payout.walletUser.active,
        createdAt: payout.createdAt,
      };
    }),
  );
}

export type PendingRefund = {
  id: string;
  mode: string;
  merchant: string;
  orderId: string;
  amount: Money;
  /** What the payer receives; null if the payment was not converted. */
  received: Money | null;
  /** The payer; null if the payment did not come from a shopper's wallet. */
  recipient: string | null;
  reason: string | null;
  createdAt: Date;
};

/** Lists up to 200 refunds that await an administrator's decision, oldest first. */
export async function listPendingRefunds(context: Context): Promise<PendingRefund[]> {
  const refunds = await context.database.prisma.refund.findMany({
    where: { status: "pending" },
    include: {
      merchant: { select: { name: true } },
      order: { select: { ...PAID_FIELDS, payer: { select: { walletUser: { select: { name: true } } } } } },
    },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: MAX_LISTED,
  });
  return Promise.all(
    refunds.map(async (refund) => ({
      received: await toMoney(context, refundReceived(refund, refund.order)),
      id: refund.id,
      mode: refund.mode,
      merchant: refund.merchant.name,
      orderId: refund.orderId,
      amount: { minor: refund.amount, currency: await getCurrency(context, refund.currency) },
      recipient: refund.order.payer?.walletUser?.name ?? null,
      reason: refund.reason,
      createdAt: refund.createdAt,
    })),
  );
}

const toMoney = async (context: Context, received: Received | null): Promise<Money | null> =>
  received && { minor: received.minor, currency: await getCurrency(context, received.currency) };
