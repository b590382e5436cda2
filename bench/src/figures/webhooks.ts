import { cycle, mapInBatches } from "../calls.js";
import type { Figure } from "../figure.js";
import { pickSize } from "../sized.js";
import { median, percentile, roundToCents } from "../statistics.js";
import type { System } from "../system.js";
import {
  type Arrivals,
  cancelOrder,
  makeOrders,
  type OpenOrder,
  type Receiver,
  readLatencies,
  runAtRate,
  startReceiver,
} from "../webhook-load.js";

/** Latency is measured at a share of the top rate: results at an absolute rate could not be compared between machines. */
const LOAD = 0.4;
const BURST = pickSize(2_000, 40);
const SECONDS = pickSize(10, 1);
const RECEIVERS = 50;
const ROUNDS = pickSize(5, 1);

/** Time from an event's commit to its first byte at the receiver, and the effect of a dead receiver on deliveries to other receivers. */
export const webhooks: Figure = {
  name: "webhooks",
  async measure(system) {
    const arrivals: Arrivals = new Map();
    const receivers = await Promise.all(
      Array.from({ length: RECEIVERS }, (_, number) => startReceiver(arrivals, number)),
    );
    const [mortal] = receivers;
    if (!mortal) throw new Error("No receiver found.");
    const healthy: number[] = [];
    const besideDead: number[] = [];
    let highest = 0;
    try {
      // These hosts are new: the first burst shows that they respond, the second measures the top rate.
      await measureRate(system, receivers, arrivals);
      highest = await measureRate(system, receivers, arrivals);
      const aSecond = Math.max(1, Math.round(highest * LOAD));
      const measureP95 = async () =>
        percentile(await measureLatencies(system, receivers, arrivals, aSecond), 0.95);
      for (let round = 0; round < ROUNDS; round += 1) {
        healthy.push(await measureP95());
        mortal.dead = true;
        besideDead.push(await measureP95());
        mortal.dead = false;
      }
    } finally {
      await Promise.all(receivers.map(({ close }) => close()));
    }
    // Median of the rounds, not of all events, so that one slow round does not decide the ratio.
    const all = median(healthy);
    const others = median(besideDead);
    return [
      {
        what: `webhook: commit to first byte, p95 at ${Math.round(highest * LOAD)} events/s, 40 % of what the machine reaches`,
        measured: `${Math.round(all)} ms, rounds ${formatRounds(healthy)}`,
        reference: `${Math.round(highest)} events/s reached`,
        value: Math.round(all),
        target: { below: 250 },
      },
      {
        what: `webhook: 1 dead receiver among ${RECEIVERS}, p95 of the healthy ones`,
        measured: `${Math.round(others)} ms, rounds ${formatRounds(besideDead)}`,
        reference: `${Math.round(all)} ms with none dead`,
        value: roundToCents(others / all),
        target: { atMost: 1.2 },
      },
    ];
  },
};

const formatRounds = (rounds: readonly number[]): string => rounds.map(Math.round).join(" ");

function ordersFor(system: System, receivers: readonly Receiver[], count: number): Promise<OpenOrder[]> {
  const merchant = cycle(system.merchants);
  const receiver = cycle(receivers);
  return makeOrders(system, count, () => ({ merchant: merchant(), receiver: receiver() }));
}

async function measureRate(
  system: System,
  receivers: readonly Receiver[],
  arrivals: Arrivals,
): Promise<number> {
  const orders = await ordersFor(system, receivers, BURST);
  const startedAt = performance.now();
  await mapInBatches(orders, (order) => cancelOrder(system, order));
  await readLatencies(system, orders, arrivals);
  return (BURST * 1_000) / (performance.now() - startedAt);
}

/** Cancels orders at a steady rate. @returns the latencies at receivers that are not dead, in milliseconds. */
async function measureLatencies(
  system: System,
  receivers: readonly Receiver[],
  arrivals: Arrivals,
  aSecond: number,
): Promise<number[]> {
  const orders = await ordersFor(system, receivers, aSecond * SECONDS);
  await runAtRate(orders, aSecond, (order) => cancelOrder(system, order));
  return readLatencies(system, orders, arrivals);
}
