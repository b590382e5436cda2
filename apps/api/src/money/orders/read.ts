import { ErrorCode } from "@tillgate/contract";
import { type OrderModel, orderRow, type Prisma } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { type GroupedWork, runGrouped, unnestArguments } from "../../ledger/group-commit.js";
import { type RefundOfPayment, withPaymentIds, withTransaction } from "../refunds/read.js";
import { expireWhenOverdue } from "./expire.js";

type OrderQuery = MerchantScope & { value: string };

/**
 * Looks up each caller's order by the value of a unique column. The query's array arguments have one element per caller. LATERAL with LIMIT forces
 * one index lookup per order, and IS NOT DISTINCT FROM, which no index supports, forces that lookup to use the column's index, regardless of table
 * statistics.
 */
function createOrderReads(column: "id" | "trx_id"): GroupedWork<OrderQuery, OrderModel | null> {
  const text = `
    SELECT o.* FROM ${unnestArguments(["text", "uuid", "mode"])} AS requested (value, merchant_id, mode)
    CROSS JOIN LATERAL (
      SELECT ${orderRow.columns.join(", ")} FROM orders
      WHERE ${column} = requested.value AND (merchant_id, mode) IS NOT DISTINCT FROM (requested.merchant_id, requested.mode) LIMIT 1) AS o`;
  const readOrders = async ({ database }: Context, queries: readonly OrderQuery[]) => {
    const orders = await queryRows(database.pool, orderRow, {
      name: `orders of merchants by ${column}`,
      text,
      values: [
        queries.map(({ value }) => value),
        queries.map(({ merchantId }) => merchantId),
        queries.map(({ mode }) => mode),
      ],
    });
    const byValue = new Map(orders.map((order) => [column === "id" ? order.id : order.trxId, order]));
    return queries.map(({ value }) => byValue.get(value) ?? null);
  };
  return {
    partitionOf: ({ value }) => value,
    conflictKeysOf: ({ value }) => [value],
    runGroup: readOrders,
    runOne: async (context, query) => (await readOrders(context, [query]))[0] ?? null,
  };
}

const ordersById = createOrderReads("id");
const ordersByPayment = createOrderReads("trx_id");

/**
 * Reads an order, and sets it to EXPIRED if overdue before returning it.
 * @throws OperationError OrderNotFound, including for another merchant's or mode's order.
 */
export async function getOrder(
  context: Context,
  { merchantId, mode }: MerchantScope,
  orderId: string,
): Promise<OrderModel> {
  const order = await runGrouped(context, ordersById, { value: orderId, merchantId, mode });
  if (order === null) throw new OperationError(ErrorCode.OrderNotFound);
  return expireWhenOverdue(context, order);
}

/** Finds the order of a payment (`TRX-…`). Returns null if there is none, or if it belongs to another merchant or mode. */
export const findPaidOrder = (
  context: Context,
  { merchantId, mode }: MerchantScope,
  trxId: string,
): Promise<OrderModel | null> => runGrouped(context, ordersByPayment, { value: trxId, merchantId, mode });

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
