import type { OrderModel, Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { ofPayment, type RefundOfPayment, withTransaction } from "../refunds/refund-of-payment.js";
import { getOrder } from "./get-order.js";

/** The most refunds of an order that its page shows. */
const MAX_REFUNDS_SHOWN = 100;

const WITH_PEOPLE = {
  credential: { select: { clientId: true } },
  payer: { select: { walletUser: { select: { name: true, email: true, phone: true } } } },
  merchant: { select: { refundsNeedApproval: true } },
  refunds: {
    include: withTransaction,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_REFUNDS_SHOWN + 1,
  },
} satisfies Prisma.OrderInclude;

/** An order with all that its page shows. */
export type OrderView = {
  order: OrderModel;
  clientId: string | null;
  payer: { name: string; email: string | null; phone: string | null } | null;
  refunds: RefundOfPayment[];
  moreRefunds: boolean;
  /** Minor units that may still be refunded; null for an order that was not paid. */
  refundable: bigint | null;
  refundsNeedApproval: boolean;
};

/** One order of the merchant for its page. @throws OperationError OrderNotFound, as {@link getOrder}. */
export async function viewOrder(context: Context, scope: MerchantScope, orderId: string): Promise<OrderView> {
  const { id } = await getOrder(context, scope, orderId);
  const { credential, payer, merchant, refunds, ...order } =
    await context.database.prisma.order.findUniqueOrThrow({ where: { id }, include: WITH_PEOPLE });
  return {
    order,
    clientId: credential.clientId,
    payer: payer?.walletUser ?? null,
    refunds: refunds.slice(0, MAX_REFUNDS_SHOWN).map(ofPayment),
    moreRefunds: refunds.length > MAX_REFUNDS_SHOWN,
    refundable: order.status === "PAID" ? order.amount - order.refunded - order.refundPending : null,
    refundsNeedApproval: merchant.refundsNeedApproval,
  };
}
