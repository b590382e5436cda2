import type { ConnectorContext } from "./context.js";

/** Has store orders looked at in so many milliseconds, or earlier. Durable when this returns. */
export const askForLooks = (
  { due, settings }: ConnectorContext,
  storeOrderIds: readonly number[],
  inMs: number,
): Promise<void> =>
  due.ask(
    settings.storeId,
    "order",
    storeOrderIds.map((storeOrderId) => ({ subject: String(storeOrderId), storeOrderId })),
    inMs,
  );
