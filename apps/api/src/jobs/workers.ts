import type { Context } from "../context.js";
import type { Listener } from "../notifications/listener.js";
import { guardedConnector } from "../outbox/address-guard.js";
import { LOOK_REST_MS, RELAY_POLL_MS, SWEEP_EVERY_MS } from "../outbox/limits.js";
import { followReceivers, relayDue, sweepLost } from "../outbox/relay.js";
import { startDeliveryWorker } from "./delivery-worker.js";
import { expireOrders, untilNextDue } from "./expire-orders.js";
import { startLoop } from "./loop.js";
import { PRUNE_EVERY_MS, PRUNE_PAUSE_MS, prune } from "./prune.js";
import { startQueue } from "./queue.js";

/** How often due orders are looked for, in milliseconds. */
const EXPIRE_POLL_MS = 1_000;
/** The shortest wait between two looks: an order that somebody holds locked is due but cannot be expired yet. */
const EXPIRE_PAUSE_MS = 50;

/**
 * Starts what a worker process does: the relay, the delivery worker, the expiry of orders, the sweep of lost
 * deliveries and the pruning of what is old. Any number of processes may do so side by side.
 * @throws when the job queue cannot be set up.
 */
export async function startWorkers(
  context: Context,
  listener: Listener,
): Promise<{ close(): Promise<void> }> {
  const { config, database, keyring, hints, log } = context;
  const { pool } = database;
  const boss = await startQueue({ databaseUrl: config.databaseUrl, log });

  const timeoutMs = config.deliveryTimeoutMs;
  const privateAllowed = config.privateWebhookAddresses;
  const worker = startDeliveryWorker({
    pool,
    boss,
    keyring,
    log,
    connector: guardedConnector({ privateAllowed, timeoutMs }),
    privateAllowed,
    timeoutMs,
    atOnce: config.deliveriesAtOnce,
  });

  const relay = startLoop({
    name: "relay",
    intervalMs: RELAY_POLL_MS,
    restMs: LOOK_REST_MS,
    log,
    async run() {
      await followReceivers(pool);
      const moved = await relayDue({ pool, boss, timeoutMs });
      if (moved > 0) worker.wake();
      return undefined;
    },
  });
  const endHints = listener.onAnything(() => relay.wake());

  const expiry = startLoop({
    name: "expiry of orders",
    intervalMs: EXPIRE_POLL_MS,
    log,
    async run() {
      await expireOrders({ pool, hints, log });
      const next = await untilNextDue(pool);
      return next === undefined ? undefined : Math.max(EXPIRE_PAUSE_MS, next);
    },
  });

  const sweep = startLoop({
    name: "sweep of lost deliveries",
    intervalMs: SWEEP_EVERY_MS,
    log,
    async run() {
      const found = await sweepLost({ pool, boss });
      if (found > 0) {
        log.warn({ deliveries: found }, "deliveries without a job were put back");
        relay.wake();
      }
      return undefined;
    },
  });

  const pruning = startLoop({
    name: "pruning",
    intervalMs: PRUNE_EVERY_MS,
    log,
    run: async () => ((await prune({ pool, config })).more ? PRUNE_PAUSE_MS : undefined),
  });

  return {
    async close() {
      endHints();
      await Promise.all([relay.close(), expiry.close(), sweep.close(), pruning.close(), worker.close()]);
      await boss.stop({ graceful: false });
    },
  };
}
