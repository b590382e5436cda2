import { call, createOrder, cycle, getOrigin, mapInBatches, readText } from "../calls.js";
import type { Figure } from "../figure.js";
import { pickSize } from "../sized.js";
import { percentile } from "../statistics.js";
import type { System } from "../system.js";

const WATCHERS = pickSize(100, 10);

/** Time from the commit of a change until the page that watches the order receives the message. */
export const liveStatus: Figure = {
  name: "live-status",
  async measure(system) {
    const merchant = cycle(system.merchants);
    const watched = await mapInBatches(Array.from({ length: WATCHERS }), async () => {
      const owner = merchant();
      const order = await call(getOrigin(system), createOrder(owner, { expires_in: 3_600 }));
      const watcher = await openStream(readText(order, "payment_url"));
      return { owner, id: readText(order, "order_id"), watcher };
    });
    const arrivalTimes = new Map<string, number>();
    await mapInBatches(watched, async ({ owner, id, watcher }) => {
      const { path, headers } = createOrder(owner);
      const arrival = watcher.waitForStatus("CANCELLED");
      await call(getOrigin(system), {
        method: "POST",
        path: `${path}/${id}/cancel`,
        ...(headers && { headers }),
        body: {},
      });
      arrivalTimes.set(id, await arrival);
    });
    const waits = await measureSinceCommit(system, arrivalTimes);
    const p95 = Math.round(percentile(waits, 0.95));
    return [
      {
        what: `change visible on the watching page, p95 of ${WATCHERS}`,
        measured: `${p95} ms`,
        reference: "",
        value: p95,
        target: { below: 300 },
      },
    ];
  },
};

async function openStream(paymentUrl: string): Promise<{ waitForStatus(status: string): Promise<number> }> {
  const response = await fetch(`${paymentUrl}/events`, { headers: { accept: "text/event-stream" } });
  if (!response.ok || !response.body)
    throw new Error(`The live stream request failed with status ${response.status}.`);
  const texts = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  const waitForStatus = async (status: string): Promise<number> => {
    while (!read.includes(`"status":"${status}"`)) {
      const { value, done } = await texts.read();
      if (done) throw new Error(`The live stream ended before it reported the status ${status}.`);
      read += value;
    }
    return Date.now();
  };
  await waitForStatus("PENDING");
  return { waitForStatus };
}

async function measureSinceCommit(
  { pool }: System,
  arrivalTimes: ReadonlyMap<string, number>,
): Promise<number[]> {
  const { rows } = await pool.query<{ order_id: string; committed_ms: number }>(
    `SELECT order_id, extract(epoch FROM created_at)::float8 * 1000 AS committed_ms FROM events
     WHERE order_id = ANY ($1) AND name = 'pos.order.cancelled'`,
    [[...arrivalTimes.keys()]],
  );
  return rows.map(({ order_id, committed_ms }) => (arrivalTimes.get(order_id) ?? Number.NaN) - committed_ms);
}
