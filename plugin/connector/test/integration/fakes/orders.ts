import { expect } from "vitest";
import type { FakeOrder } from "./fake-store.js";
import type { Bench } from "./set-up.js";

export type StartedOrder = {
  /** ID in the shop. */
  id: number;
  tillgateOrder: string;
};

let number = 100;

/** Creates an order and starts its payment. */
export async function startedOrder(
  { store, tillgate, start }: Bench,
  changes: Partial<FakeOrder> = {},
): Promise<StartedOrder> {
  number += 1;
  const id = number;
  store.add({ id, ...changes });
  expect((await start(id)).status).toBe(200);
  return { id, tillgateOrder: tillgate.orderOf(String(id)).order_id };
}

/** Creates an order that is paid in Tillgate and in the shop. */
export async function paidOrder(
  bench: Bench,
  changes: Partial<FakeOrder> = {},
): Promise<StartedOrder & { trxId: string | null }> {
  const order = await startedOrder(bench, changes);
  expect((await bench.deliver(bench.tillgate.set(order.tillgateOrder, "PAID"))).status).toBe(200);
  expect(bench.store.order(order.id).status).toBe("processing");
  return { ...order, trxId: bench.tillgate.order(order.tillgateOrder).trx_id };
}

/** Makes everything due, and sweeps. */
export async function sweepNow(bench: Bench): Promise<Awaited<ReturnType<Bench["connector"]["sweep"]>>> {
  await bench.makeDue();
  return bench.connector.sweep();
}
