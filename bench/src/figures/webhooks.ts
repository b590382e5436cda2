import { inBatches, turns } from "../calls.js";
import type { Figure } from "../figure.js";
import { sized } from "../sized.js";
import { median, percentile, rounded } from "../statistics.js";
import type { System } from "../system.js";
import {
  type Arrivals,
  cancelOrder,
  inPace,
  latenciesOf,
  makeOrders,
  type OpenOrder,
  type Receiver,
  startReceiver,
} from "../webhook-load.js";

/** The share of the machine's top rate at which latency is measured: an absolute rate does not compare between machines. */
const LOAD = 0.4;
/** Events that determine the top rate. */
const BURST = sized(2_000, 40);
const SECONDS = sized(10, 1);
const RECEIVERS = 50;
const ROUNDS = sized(5, 1);

/** Time from an event's commit to its first byte at the receiver, and the effect of a dead receiver on the others. */
export const webhooks: Figure = {
  name: "webhooks",
  async measure(system) {
    const arrivals: Arrivals = new Map();
    const receivers = await Promise.all(
      Array.from({ length: RECEIVERS }, (_, number) => startReceiver(arrivals, number)),
    );
    const [mortal] = receivers;
    if (!mortal) throw new Error("There is no receiver.");
    const healthy: number[] = [];
    const besideDead: number[] = [];
    let reached = 0;
    try {
      // These hosts are new: the first burst shows that they respond, the second measures the top rate.
      await rateOf(system, receivers, arrivals);
      reached = await rateOf(system, receivers, arrivals);
      const aSecond = Math.max(1, Math.round(reached * LOAD));
      const p95 = async () => percentile(await latencies(system, receivers, arrivals, aSecond), 0.95);
      for (let round = 0; round < ROUNDS; round += 1) {
        healthy.push(await p95());
        mortal.dead = true;
        besideDead.push(await p95());
        mortal.dead = false;
      }
    } finally {
      await Promise.all(receivers.map(({ close }) => close()));
    }
    // Of the rounds, not of all events, so that one slow round does not decide the ratio.
    const all = median(healthy);
    const others = median(besideDead);
    return [
      {
        what: `webhook: commit to first byte, p95 at ${Math.round(reached * LOAD)} events/s, 40 % of what the machine reaches`,
        measured: `${Math.round(all)} ms, rounds ${inWords(healthy)}`,
        reference: `${Math.round(reached)} events/s reached`,
        value: Math.round(all),
        target: { below: 250 },
      },
      {
        what: `webhook: 1 dead receiver among ${RECEIVERS}, p95 of the healthy`,
        measured: `${Math.round(others)} ms, rounds ${inWords(besideDead)}`,
        reference: `${Math.round(all)} ms with none dead`,
        value: rounded(others / all),
        target: { atMost: 1.2 },
      },
    ];
  },
};

const inWords = (rounds: readonly number[]): string => rounds.map(Math.round).join(" ");

function ordersFor(system: System, receivers: readonly Receiver[], count: number): Promise<OpenOrder[]> {
  const merchant = turns(system.merchants);
  const receiver = turns(receivers);
  return makeOrders(system, count, () => ({ merchant: merchant(), receiver: receiver() }));
}

/** Events per second that are created and delivered at full load. */
async function rateOf(system: System, receivers: readonly Receiver[], arrivals: Arrivals): Promise<number> {
  const orders = await ordersFor(system, receivers, BURST);
  const startedAt = performance.now();
  await inBatches(orders, (order) => cancelOrder(system, order));
  await latenciesOf(system, orders, arrivals);
  return (BURST * 1_000) / (performance.now() - startedAt);
}

/** Cancels orders at a steady rate, each with a callback_url of one of the receivers. @returns latencies in milliseconds, healthy receivers only. */
async function latencies(
  system: System,
  receivers: readonly Receiver[],
  arrivals: Arrivals,
  aSecond: number,
): Promise<number[]> {
  const orders = await ordersFor(system, receivers, aSecond * SECONDS);
  await inPace(orders, aSecond, (order) => cancelOrder(system, order));
  return latenciesOf(system, orders, arrivals);
}
