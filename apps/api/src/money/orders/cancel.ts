import { ErrorCode } from "@tillgate/contract";
import { ledger, type OrderModel } from "@tillgate/database";
import { type ConsoleAct, toActAuditRecord } from "../../audit/acts.js";
import type { ApiCall } from "../../audit/administrator.js";
import { callWithAudit } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { callLedger } from "../../ledger/call.js";
import { OrderOverdueError, OrderSettledError } from "../../ledger/errors.js";
import { expireOrder } from "./expire.js";

/** @throws OperationError OrderNotFound; OnlyPendingCanBeCancelled, including if the order is overdue. */
export async function cancelOrder(
  context: Context,
  { merchantId, mode }: MerchantScope,
  orderId: string,
  by?: ApiCall | ConsoleAct,
): Promise<OrderModel> {
  const order = await context.database.prisma.order.findFirst({
    where: { id: orderId, merchantId, mode },
    select: { id: true, mode: true },
  });
  if (!order) throw new OperationError(ErrorCode.OrderNotFound);
  try {
    return await cancelPending(context, order, by);
  } catch (error) {
    if (error instanceof OrderOverdueError) await expireOrder(context, order);
    if (error instanceof OrderOverdueError || error instanceof OrderSettledError)
      throw new OperationError(ErrorCode.OnlyPendingCanBeCancelled);
    throw error;
  }
}

/** Cancels a pending order. The caller must check access to the order. @throws OrderSettledError, OrderOverdueError. */
export async function cancelPending(
  context: Context,
  { id, mode }: Pick<OrderModel, "id" | "mode">,
  by?: Pick<ApiCall, "requestId"> | ConsoleAct,
): Promise<OrderModel> {
  const act = by && "by" in by ? by : undefined;
  // The audit record of a console action contains the action's request ID.
  const requestId = by && !act ? by.requestId : null;
  const createArguments = () => ({ orderId: id, mode, requestId });
  const cancelled = act
    ? await callWithAudit(context, ledger.cancelOrder, createArguments, ({ merchantId }) =>
        toActAuditRecord(act, { merchantId, mode, action: "order.cancel", subject: id }),
      )
    : await callLedger(context, ledger.cancelOrder, createArguments);
  context.changes.notify(id);
  return cancelled;
}
