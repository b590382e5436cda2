import type { ConnectorContext } from "./context.js";

/** Schedules checks of store orders, unless they are scheduled earlier. Durable when this returns. */
export const scheduleChecks = (
  { due }: ConnectorContext,
  storeOrderIds: readonly number[],
  inMs: number,
): Promise<void> =>
  due.schedule(
    "order",
    storeOrderIds.map((storeOrderId) => ({ subject: String(storeOrderId), storeOrderId })),
    inMs,
  );
