import { setTimeout as delay } from "node:timers/promises";
import { mapInBatches } from "../calls.js";
import type { Figure } from "../figure.js";
import type { BenchMerchant } from "../parties.js";
import { pickSize } from "../sized.js";
import { median, percentile, roundToCents } from "../statistics.js";
import type { System } from "../system.js";
import {
  type Arrivals,
  cancelOrder,
  makeOrders,
  type Receiver,
  readLatencies,
  runAtRate,
  SLOW_MS,
  startReceiver,
} from "../webhook-load.js";

const WAITING = pickSize(1_000, 20);
const EVENTS = pickSize(40, 4);
const EVENTS_PER_SECOND = 10;
const ROUNDS = pickSize(3, 1);
/** Number of the first receiver, whose loopback address no other figure uses. */
const FIRST_NUMBER = 100;

/**
 * The effect of a hanging receiver on deliveries to another receiver of the same merchant, after this other receiver has responded to one event with a
 * slow 500.
 */
export const webhookIsolation: Figure = {
  name: "webhook-isolation",
  async measure(system) {
    const arrivals: Arrivals = new Map();
    const [merchant] = system.merchants;
    if (!merchant) throw new Error("No merchant found.");
    const receivers = await Promise.all(
      Array.from({ length: ROUNDS * 2 + 1 }, (_, number) => startReceiver(arrivals, FIRST_NUMBER + number)),
    );
    try {
      const [hanging, ...others] = receivers;
      if (!hanging) throw new Error("No receiver found.");
      const measureRounds = async (of: readonly Receiver[]): Promise<number[]> => {
        const p95: number[] = [];
        for (const receiver of of) p95.push(await measureAfterSlow(system, merchant, receiver, arrivals));
        return p95;
      };
      const alone = await measureRounds(others.slice(0, ROUNDS));
      hanging.dead = true;
      const waiting = await makeOrders(system, WAITING, () => ({ merchant, receiver: hanging }));
      await mapInBatches(waiting, (order) => cancelOrder(system, order));
      const withSlowReceiver = await measureRounds(others.slice(ROUNDS));
      const formatRounds = (all: readonly number[]) => all.map(Math.round).join(" ");
      return [
        {
          what: `webhook: p95 after one slow 500, while another receiver of the merchant hangs with ${WAITING} events queued`,
          measured: `${Math.round(median(withSlowReceiver))} ms, rounds ${formatRounds(withSlowReceiver)}`,
          reference: `${Math.round(median(alone))} ms without the hanging receiver, rounds ${formatRounds(alone)}`,
          value: roundToCents(median(withSlowReceiver) / median(alone)),
          target: { atMost: 1.5 },
        },
      ];
    } finally {
      await Promise.all(receivers.map(({ close }) => close()));
    }
  },
};

/** Lets the receiver respond to one event with a slow 500. @returns the p95 latency of the next events, in milliseconds. */
async function measureAfterSlow(
  system: System,
  merchant: BenchMerchant,
  receiver: Receiver,
  arrivals: Arrivals,
): Promise<number> {
  const to = () => ({ merchant, receiver });
  receiver.slowOnce = true;
  const slow = await makeOrders(system, 1, to);
  await mapInBatches(slow, (order) => cancelOrder(system, order));
  await readLatencies(system, slow, arrivals);
  await delay(SLOW_MS);
  const next = await makeOrders(system, EVENTS, to);
  await runAtRate(next, EVENTS_PER_SECOND, (order) => cancelOrder(system, order));
  return percentile(await readLatencies(system, next, arrivals), 0.95);
}
