import { Refusal, type SimulatedOutcome } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";
import { approveInSandbox } from "../checkout/approve-in-sandbox.js";
import { cancelCheckout } from "../checkout/cancel-checkout.js";
import { declineInSandbox } from "../checkout/decline-in-sandbox.js";
import { readCheckout } from "../checkout/read-checkout.js";
import { whyTooLate } from "../checkout/too-late.js";
import { bringToEnd } from "../sandbox/bring-to-end.js";
import { getOrder } from "./get-order.js";

/** What an order is after an outcome that ends it unpaid; a repeat finds it so. */
const ENDS_AS = { cancelled: "CANCELLED", expired: "EXPIRED" } as const;

/**
 * Plays the shopper of an order of the sandbox: the operations of the payment page's buttons, or its time that runs out. A
 * repeat after its own success changes nothing.
 * @throws OperationError OrderNotFound, what approveInSandbox throws.
 */
export async function simulateOrder(
  context: Context,
  client: MerchantScope,
  { orderId, outcome, requestId }: { orderId: string; outcome: SimulatedOutcome; requestId: string },
): Promise<OrderModel> {
  if (client.mode !== "sandbox") throw new OperationError(Refusal.SandboxOnly);
  const { token } = await getOrder(context, client, orderId);
  const checkout = await readCheckout(context, token, undefined);
  const { order } = checkout;
  if (outcome === "paid") return (await approveInSandbox(context, checkout, { requestId })).order;
  if (outcome === "paid_converted")
    return (await approveInSandbox(context, checkout, { requestId, how: "payment_converted" })).order;
  if (outcome === "declined" || outcome === "insufficient_balance") return declineInSandbox(order);
  if (order.status === ENDS_AS[outcome]) return order;
  return outcome === "cancelled" ? cancelCheckout(context, order, requestId) : endTime(context, order);
}

/** Lets a pending order's time be over at this moment. A payment at the same instant wins, or comes too late. */
async function endTime(context: Context, order: OrderModel): Promise<OrderModel> {
  const end = { kind: "order", id: order.id, moment: "after_end" } as const;
  await bringToEnd(context, order.merchantId, end).catch((error: unknown) => {
    if (!(error instanceof OperationError && error.refusal === Refusal.NothingThatEnds)) throw error;
  });
  const now = await context.database.prisma.order.findUniqueOrThrow({ where: { id: order.id } });
  if (now.status !== "EXPIRED") throw await whyTooLate(context, order);
  return now;
}
