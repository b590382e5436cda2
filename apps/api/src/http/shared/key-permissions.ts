import { Refusal } from "@tillgate/contract";
import type { Request } from "express";
import { z } from "zod";
import { OperationError } from "../../operation-error.js";

/** The routes by which an order-only key changes something. */
const ORDER_ROUTES = ["/orders", "/orders/:orderId/cancel", "/orders/:orderId/simulate", "/payment/create"];
const routeSchema = z.object({ path: z.string() });

/**
 * Rejects a change that the key does not permit.
 * @throws OperationError ReadOnlyCredential, OrderOnlyCredential.
 */
export function requirePermission(
  { readOnly, orderOnly }: { readOnly: boolean; orderOnly: boolean },
  request: Request,
): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (readOnly) throw new OperationError(Refusal.ReadOnlyCredential);
  const route = routeSchema.safeParse(request.route).data?.path ?? "";
  if (orderOnly && !ORDER_ROUTES.includes(route)) throw new OperationError(Refusal.OrderOnlyCredential);
}
