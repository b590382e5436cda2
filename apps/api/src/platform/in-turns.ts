import { setImmediate } from "node:timers/promises";

/** Items processed before other requests get their turn. */
const ITEMS_PER_TURN = 250;

/**
 * Processes items in batches and lets other requests run in between, so that thousands of items delay another request by only a few
 * milliseconds.
 */
export async function inTurns<Item>(
  items: readonly Item[],
  process: (turn: readonly Item[], start: number) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += ITEMS_PER_TURN) {
    if (start > 0) await setImmediate();
    process(items.slice(start, start + ITEMS_PER_TURN), start);
  }
}
