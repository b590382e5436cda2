import type { ConnectorContext } from "./context.js";

/** Has store orders looked at in so many milliseconds, or earlier. Durable when this returns. */
export const askForLooks = (
  { due }: ConnectorContext,
  storeOrderIds: readonly number[],
  inMs: number,
): Promise<void> =>
  due.ask(
    "order",
    storeOrderIds.map((storeOrderId) => ({ subject: String(storeOrderId), storeOrderId })),
    inMs,
  );
