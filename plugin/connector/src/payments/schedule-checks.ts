import type { ConnectorContext } from "./context.js";

/** Schedules checks of store orders, durably once this resolves. A check that is already scheduled for an earlier time is kept. */
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
