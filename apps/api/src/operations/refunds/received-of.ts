import type { OrderModel, RefundModel } from "@tillgate/database";
import { payerShare } from "@tillgate/money";
import type { Context } from "../../context.js";

/** Minor units of the payer's currency. */
export type Received = { minor: bigint; currency: string };

type Paid = Pick<OrderModel, "amount" | "currency" | "refunded" | "payerAmount" | "payerCurrency">;
export const PAID_FIELDS = {
  amount: true,
  currency: true,
  refunded: true,
  payerAmount: true,
  payerCurrency: true,
} as const;

/** What the payer gets of a refund in the wallet's currency: one that waits gives back what it would now. Null where nothing was converted, or nothing is given back. */
export function receivedOf(
  { status, amount, payerAmount }: Pick<RefundModel, "status" | "amount" | "payerAmount">,
  order: Paid,
): Received | null {
  const { payerAmount: paid, payerCurrency: currency } = order;
  if (paid === null || currency === null || currency === order.currency || status === "failed") return null;
  const minor = payerAmount ?? payerShare({ paid, price: order.amount, refunded: order.refunded }, amount);
  return { minor, currency };
}

/** The same of many refunds, by their ids. */
export async function receivedOfEach(
  { database: { prisma } }: Context,
  refunds: readonly RefundModel[],
): Promise<Map<string, Received | null>> {
  const orders = await prisma.order.findMany({
    where: { id: { in: [...new Set(refunds.map(({ orderId }) => orderId))] } },
    select: { id: true, ...PAID_FIELDS },
  });
  const byId = new Map(orders.map((order) => [order.id, order]));
  return new Map(
    refunds.map((refund) => {
      const order = byId.get(refund.orderId);
      return [refund.id, order ? receivedOf(refund, order) : null];
    }),
  );
}
