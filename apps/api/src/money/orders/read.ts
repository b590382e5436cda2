import { ErrorCode, type Mode } from "@tillgate/contract";
import { type OrderModel, orderRow, type Prisma } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { type GroupedWork, runGrouped, unnestArguments } from "../../ledger/group-commit.js";
import { type RefundOfPayment, withPaymentIds, withTransaction } from "../refunds/read.js";
import { expireWhenOverdue } from "./expire.js";

/** The arrays have one element per caller. LATERAL with LIMIT forces an index lookup per order, regardless of table statistics. */
const ORDERS_OF_MERCHANTS = `
  SELECT o.* FROM ${unnestArguments(["text", "uuid", "mode"])} AS requested (id, merchant_id, mode)
  CROSS JOIN LATERAL (
    SELECT ${orderRow.columns.join(", ")} FROM orders
    WHERE id = requested.id AND merchant_id = requested.merchant_id AND mode = requested.mode LIMIT 1) AS o`;

type OrderQuery = { id: string; merchantId: string; mode: Mode };

async function readOrders(
  { database }: Context,
  queries: readonly OrderQuery[],
): Promise<(OrderModel | null)[]> {
  const orders = await queryRows(database.pool, orderRow, {
    name: "orders of merchants",
    text: ORDERS_OF_MERCHANTS,
    values: [
      queries.map(({ id }) => id),
      queries.map(({ merchantId }) => merchantId),
      queries.map(({ mode }) => mode),
    ],
  });
  const byId = new Map(orders.map((order) => [order.id, order]));
  return queries.map(({ id }) => byId.get(id) ?? null);
}

const orderReads: GroupedWork<OrderQuery, OrderModel | null> = {
  partitionOf: ({ id }) => id,
  conflictKeysOf: ({ id }) => [id],
  runGroup: readOrders,
  runOne: async (context, query) => (await readOrders(context, [query]))[0] ?? null,
};

/** An overdue order becomes EXPIRED first. @throws OperationError OrderNotFound, including for another merchant's or mode's order. */
export async function getOrder(
  context: Context,
  { merchantId, mode }: MerchantScope,
  orderId: string,
): Promise<OrderModel> {
  const order = await runGrouped(context, orderReads, { id: orderId, merchantId, mode });
  if (order === null) throw new OperationError(ErrorCode.OrderNotFound);
  return expireWhenOverdue(context, order);
}

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

export type OrderView = {
  order: OrderModel;
  clientId: string | null;
  payer: { name: string; email: string | null; phone: string | null } | null;
  refunds: RefundOfPayment[];
  moreRefunds: boolean;
  /** Minor units that may still be refunded; null for an order that was not paid. */
  refundable: bigint | null;
  refundsNeedApproval: boolean;
  link: { id: string; description: string } | null;
  /** The till with the order's terminal ID. */
  till: { id: string; name: string } | null;
};

/** @throws the errors of {@link getOrder}. */
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
    refunds: refunds.slice(0, MAX_REFUNDS_SHOWN).map(withPaymentIds),
    moreRefunds: refunds.length > MAX_REFUNDS_SHOWN,
    refundable: order.status === "PAID" ? order.amount - order.refunded - order.refundPending : null,
    refundsNeedApproval: merchant.refundsNeedApproval,
    link: paymentLink?.link ?? null,
    till,
  };
}
