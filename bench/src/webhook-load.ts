import { createServer, type IncomingMessage, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { call, createOrder, getOrigin, mapInBatches, readText } from "./calls.js";
import type { BenchMerchant } from "./parties.js";
import type { System } from "./system.js";

const PATIENCE_MS = 30_000;
export const SLOW_MS = 3_000;

/** Arrival times in milliseconds since 1970, by event ID. */
export type Arrivals = Map<string, number>;

export type Receiver = {
  address: string;
  dead: boolean;
  slowOnce: boolean;
  close(): Promise<void>;
};

/** Starts a receiver on a separate loopback address, which Tillgate treats as a separate host. @param number from 0 to 253. */
export async function startReceiver(arrivals: Arrivals, number: number): Promise<Receiver> {
  const host = `127.1.0.${number + 1}`;
  const server = createServer((request, response) => {
    if (receiver.dead) return;
    arrivals.set(readEventId(request), Date.now());
    request.resume();
    if (receiver.slowOnce) {
      receiver.slowOnce = false;
      setTimeout(() => response.writeHead(500).end(), SLOW_MS);
    } else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const receiver: Receiver = {
    address: `http://${host}:${getPort(server)}/hook`,
    dead: false,
    slowOnce: false,
    close: () => close(server),
  };
  return receiver;
}

const readEventId = (request: IncomingMessage): string => String(request.headers["webhook-id"]);

function getPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The receiver is not listening on a TCP port.");
  return address.port;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export type OpenOrder = { id: string; merchant: BenchMerchant; receiver: Receiver };

/** Creates orders. @param next called for each order; returns its merchant and the receiver of its events. */
export function makeOrders(
  system: System,
  count: number,
  next: () => { merchant: BenchMerchant; receiver: Receiver },
): Promise<OpenOrder[]> {
  return mapInBatches(Array.from({ length: count }), async () => {
    const { merchant, receiver } = next();
    const order = await call(
      getOrigin(system),
      createOrder(merchant, { callback_url: receiver.address, expires_in: 3_600 }),
    );
    return { id: readText(order, "order_id"), merchant, receiver };
  });
}

export async function cancelOrder(system: System, { id, merchant }: OpenOrder): Promise<void> {
  const { path, headers } = createOrder(merchant);
  await call(getOrigin(system), {
    method: "POST",
    path: `${path}/${id}/cancel`,
    ...(headers && { headers }),
    body: {},
  });
}

/** Starts tasks at a fixed rate, even if earlier ones have not finished. */
export async function runAtRate<Item>(
  items: readonly Item[],
  aSecond: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  for (const [number, item] of items.entries()) {
    const dueMs = (number * 1_000) / aSecond - (performance.now() - startedAt);
    if (dueMs > 1) await delay(dueMs);
    underWay.push(work(item));
  }
  await Promise.all(underWay);
}

/**
 * Waits for the orders' events at receivers that are not dead.
 * @returns milliseconds from each event's `created_at` to its arrival.
 * @throws Error if not all have arrived after 30 s.
 */
export async function readLatencies(
  system: System,
  orders: readonly OpenOrder[],
  arrivals: ReadonlyMap<string, number>,
): Promise<number[]> {
  const expected = orders.filter(({ receiver }) => !receiver.dead).map(({ id }) => id);
  const { rows } = await system.pool.query<{ id: string; committed_ms: number }>(
    `SELECT id, extract(epoch FROM created_at)::float8 * 1000 AS committed_ms FROM events
     WHERE order_id = ANY ($1) AND name = 'pos.order.cancelled'`,
    [expected],
  );
  const deadline = performance.now() + PATIENCE_MS;
  while (!rows.every(({ id }) => arrivals.has(id))) {
    if (performance.now() > deadline) throw new Error("Not all events arrived in time.");
    await delay(20);
  }
  return rows.map(({ id, committed_ms }) => (arrivals.get(id) ?? Number.NaN) - committed_ms);
}
