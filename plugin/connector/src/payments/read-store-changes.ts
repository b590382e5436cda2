import { askForLooks } from "./ask-for-looks.js";
import { withClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";

/** The first reading of a store's changes starts this long ago, in milliseconds: longer than a payment can be open. */
const FIRST_LOOK_BACK_MS = 2 * 60 * 60_000;
/** The store's times are whole seconds, and its list has changes after a time, not at it. */
const SECOND_MS = 1000;

/**
 * Learns of changes made in the shop, by one process at a time. Each changed order that has a payment of ours becomes due
 * for a look, so that the cursor may move on whatever the look finds.
 */
export async function readStoreChanges(context: ConnectorContext): Promise<void> {
  await withClaim(context, `changes:${context.settings.storeId}`, 0, (held) =>
    readChanges(context, () => held.keep()),
  );
}

async function readChanges(context: ConnectorContext, keep: () => Promise<void>): Promise<void> {
  const { payments, clocks, cursors, reporter, settings, store } = context;
  const stored = await cursors.read("changes");
  // The cursor is the store's own clock.
  const cursor = stored === null ? new Date(clocks.nowMs("store") - FIRST_LOOK_BACK_MS) : new Date(stored);
  let since = new Date(cursor.getTime() - settings.storeOverlapMs);
  let newest = cursor;
  let page = 1;
  for (let read = 0; read < settings.storeMaxPages; read += 1) {
    const { orders, isLast } = await store.ordersModifiedAfter(since, page);
    const known = await payments.knownOrders(orders.map(({ id }) => id));
    await keep();
    await askForLooks(context, known, 0);
    const times = orders.flatMap(({ modifiedAt }) => (modifiedAt === null ? [] : [modifiedAt.getTime()]));
    const last = new Date(Math.max(newest.getTime(), ...times));
    if (last > newest) {
      newest = last;
      await cursors.write("changes", newest.toISOString());
    }
    if (isLast) {
      await reporter.settled("behind", "changes");
      return;
    }
    // From the last time seen, not by page: an order that changes during the reading moves to the end, and an unread one
    // would move to a page that was already read.
    const next = new Date(Math.max(...times) - SECOND_MS);
    if (times.length > 0 && next > since) {
      since = next;
      page = 1;
    } else page += 1;
  }
  await reporter.problem({
    kind: "behind",
    subject: "changes",

    text: "More changes in the store than one sweep reads; the rest follows with the next sweeps.",
  });
}
