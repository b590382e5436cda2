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
  paymentLink: { select: { link: { select: { id: true, description: true } } } },
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
  /** The payment link that it was made through. */
  link: { id: string; description: string } | null;
  /** The till of its terminal id. */
  till: { id: string; name: string } | null;
};

/** One order of the merchant for its page. @throws OperationError OrderNotFound, as {@link getOrder}. */
export async function viewOrder(context: Context, scope: MerchantScope, orderId: string): Promise<OrderView> {
  const { id } = await getOrder(context, scope, orderId);
  const { prisma } = context.database;
  const { credential, payer, merchant, refunds, paymentLink, ...order } =
    await prisma.order.findUniqueOrThrow({ where: { id }, include: WITH_PEOPLE });
  const { merchantId, mode, terminalId } = order;
  const till =
    terminalId === null
      ? null
      : await prisma.till.findUnique({
          where: { merchantId_mode_terminalId: { merchantId, mode, terminalId } },
          select: { id: true, name: true },
        });
  return {
    order,
    clientId: credential.clientId,
    payer: payer?.walletUser ?? null,
    refunds: refunds.slice(0, MAX_REFUNDS_SHOWN).map(ofPayment),
    moreRefunds: refunds.length > MAX_REFUNDS_SHOWN,
    refundable: order.status === "PAID" ? order.amount - order.refunded - order.refundPending : null,
    refundsNeedApproval: merchant.refundsNeedApproval,
    link: paymentLink?.link ?? null,
    till,
  };
}
