import { createServer, type IncomingMessage, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { call, createOrder, inBatches, originOf, textOf, turns } from "../calls.js";
import type { Figure } from "../figure.js";
import type { BenchMerchant } from "../parties.js";
import { sized } from "../sized.js";
import { median, percentile, rounded } from "../statistics.js";
import type { System } from "../system.js";

const EVENTS_A_SECOND = sized(200, 20);
const SECONDS = sized(10, 1);
const RECEIVERS = 50;
const ROUNDS = sized(5, 1);
/** How long the last deliveries of healthy receivers may take before the figure is given up. */
const PATIENCE_MS = 30_000;

/** From an event's commit to its first byte at the receiver, and what one dead receiver does to the others. */
export const webhooks: Figure = {
  name: "webhooks",
  async measure(system) {
    const arrivals = new Map<string, number>();
    const receivers = await Promise.all(
      Array.from({ length: RECEIVERS }, (_, number) => startReceiver(arrivals, number)),
    );
    const [mortal] = receivers;
    if (!mortal) throw new Error("There is no receiver.");
    const healthy: number[] = [];
    const besideDead: number[] = [];
    try {
      // Nobody has heard of these hosts yet: until they have shown that they are prompt, they share few places.
      await latencies(system, receivers, arrivals);
      for (let round = 0; round < ROUNDS; round += 1) {
        healthy.push(percentile(await latencies(system, receivers, arrivals), 0.95));
        mortal.dead = true;
        besideDead.push(percentile(await latencies(system, receivers, arrivals), 0.95));
        mortal.dead = false;
      }
    } finally {
      await Promise.all(receivers.map(({ close }) => close()));
    }
    // Of the rounds, not of all events: one slow round must not decide a ratio, in whichever direction.
    const all = median(healthy);
    const others = median(besideDead);
    return [
      {
        what: `webhook: commit to first byte, p95 at ${EVENTS_A_SECOND} events/s`,
        measured: `${Math.round(all)} ms, rounds ${inWords(healthy)}`,
        reference: "",
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

/**
 * Cancels orders at an even pace, each with a callback_url of one of the receivers.
 * @returns milliseconds from each event's `created_at` to the arrival of its request, living receivers only.
 */
async function latencies(
  system: System,
  receivers: readonly Receiver[],
  arrivals: ReadonlyMap<string, number>,
): Promise<number[]> {
  const orders = await ordersFor(system, receivers);
  await inPace(orders, (order) => cancelOrder(system, order));
  const expected = orders.filter(({ receiver }) => !receiver.dead).map(({ id }) => id);
  const { rows } = await system.pool.query<{ id: string; committed_ms: number }>(
    `SELECT id, extract(epoch FROM created_at)::float8 * 1000 AS committed_ms FROM events
     WHERE order_id = ANY ($1) AND name = 'pos.order.cancelled'`,
    [expected],
  );
  await until(() => rows.every(({ id }) => arrivals.has(id)), PATIENCE_MS);
  return rows.map(({ id, committed_ms }) => (arrivals.get(id) ?? Number.NaN) - committed_ms);
}

type Receiver = {
  address: string;
  /** Takes requests and never answers. */
  dead: boolean;
  close(): Promise<void>;
};

/** Each has a loopback address, and so a host, of its own. */
async function startReceiver(arrivals: Map<string, number>, number: number): Promise<Receiver> {
  const host = `127.1.0.${number + 1}`;
  const server = createServer((request, response) => {
    if (receiver.dead) return;
    arrivals.set(eventId(request), Date.now());
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const receiver: Receiver = {
    address: `http://${host}:${portOf(server)}/hook`,
    dead: false,
    close: () => close(server),
  };
  return receiver;
}

const eventId = (request: IncomingMessage): string => String(request.headers["webhook-id"]);

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  return address.port;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

type OpenOrder = { id: string; merchant: BenchMerchant; receiver: Receiver };

function ordersFor(system: System, receivers: readonly Receiver[]): Promise<OpenOrder[]> {
  const merchant = turns(system.merchants);
  const receiver = turns(receivers);
  return inBatches(Array.from({ length: EVENTS_A_SECOND * SECONDS }), async () => {
    const owner = merchant();
    const target = receiver();
    const made = await call(
      originOf(system),
      createOrder(owner, { callback_url: target.address, expires_in: 3_600 }),
    );
    return { id: textOf(made, "order_id"), merchant: owner, receiver: target };
  });
}

async function cancelOrder(system: System, { id, merchant }: OpenOrder): Promise<void> {
  const { path, headers } = createOrder(merchant);
  await call(originOf(system), {
    method: "POST",
    path: `${path}/${id}/cancel`,
    ...(headers && { headers }),
    body: {},
  });
}

/** Starts `EVENTS_A_SECOND` of the works each second, whether or not earlier ones are done. */
async function inPace<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  for (const [number, item] of items.entries()) {
    const dueMs = (number * 1_000) / EVENTS_A_SECOND - (performance.now() - startedAt);
    if (dueMs > 1) await delay(dueMs);
    underWay.push(work(item));
  }
  await Promise.all(underWay);
}

async function until(condition: () => boolean, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error("Not all events arrived in time.");
    await delay(50);
  }
}
