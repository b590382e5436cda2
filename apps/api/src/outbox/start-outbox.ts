import { startLoop } from "@tillgate/service";
import type pg from "pg";
import type { Context } from "../context.js";
import type { Listener } from "../notifications/listener.js";
import { guardedConnector } from "./address-guard.js";
import { startDeliveryWorker } from "./delivery-worker.js";
import { FOLLOW_BATCH, FOLLOW_REST_MS, LOOK_EVERY_MS } from "./limits.js";
import { followReceiverState } from "./queries.js";

/**
 * Starts the sending of webhooks in this process: the delivery worker, and the job that applies receivers' states to
 * waiting deliveries.
 */
export function startOutbox(context: Context, listener: Listener): { close(): Promise<void> } {
  const { config, counters, database, keyring, log } = context;
  const { pool } = database;
  const timeoutMs = config.deliveryTimeoutMs;
  const privateAllowed = config.privateWebhookAddresses;
  const worker = startDeliveryWorker({
    pool,
    keyring,
    log,
    counters,
    connector: guardedConnector({ privateAllowed, timeoutMs }),
    privateAllowed,
    timeoutMs,
    atOnce: config.deliveriesAtOnce,
  });
  const following = startLoop({
    name: "following of receivers",
    intervalMs: LOOK_EVERY_MS,
    restMs: FOLLOW_REST_MS,
    log,
    async run() {
      if ((await followReceivers(pool)) > 0) worker.wake();
      return undefined;
    },
  });
  const endHints = listener.onAnything(() => {
    worker.wake();
    following.wake();
  });
  return {
    async close() {
      endHints();
      await Promise.all([following.close(), worker.close()]);
    },
  };
}

/** Applies changed states of receivers to their waiting deliveries, in short transactions. @returns how many did. */
async function followReceivers(pool: pg.Pool): Promise<number> {
  let all = 0;
  for (;;) {
    const followed = await followReceiverState(pool, FOLLOW_BATCH);
    if (followed === null) return all;
    all += followed;
  }
}
