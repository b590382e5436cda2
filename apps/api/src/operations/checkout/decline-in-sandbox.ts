import { Refusal } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import { OperationError } from "../../operation-error.js";
import { refusalOf } from "./too-late.js";

/**
 * Refuses a test payment: the order stays payable, the page shows the refusal.
 * @throws OperationError SandboxOnly, OrderAlreadyPaid, OrderCancelled, OrderExpired.
 */
export function declineInSandbox(order: OrderModel): OrderModel {
  if (order.mode !== "sandbox") throw new OperationError(Refusal.SandboxOnly);
  const settled = refusalOf(order.status);
  if (settled) throw new OperationError(settled);
  return order;
}
