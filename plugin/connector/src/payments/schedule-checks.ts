import type { ConnectorContext } from "./context.js";

/** A check already scheduled for an earlier time is kept. Durable once this resolves. */
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
