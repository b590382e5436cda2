import { orderPageResponseSchema } from "@tillgate/contract";
import { beforeAll, expect, it } from "vitest";
import { rollUpCounters } from "../../../src/jobs/flush.js";
import { createOrder } from "../../support/orders.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, api } = await createTestApi();
const { pool } = sandbox.database;

const countPendingDeltas = async (): Promise<number> =>
  (await pool.query("SELECT FROM count_deltas")).rowCount ?? 0;
async function list(query: Record<string, string> = {}) {
  const { status, body, text } = await api.get("/orders", { per_page: "100", ...query });
  expect({ status, text: text.slice(0, 200) }).toMatchObject({ status: 200 });
  const { orders, pagination } = orderPageResponseSchema.parse(body).data;
  expect(orders).toHaveLength(Math.min(pagination.total, 100));
  return pagination;
}

beforeAll(async () => {
  await rollUpCounters(pool);
});

it("a list has the same counts before and after counters are rolled up in small batches", async () => {
  const { total } = await list();
  for (let n = 0; n < 5; n += 1) await createOrder(api);
  expect(await countPendingDeltas()).toBe(5);
  const filters = [{}, { status: "PENDING" }, { status: "PAID" }, { from_date: "2999-01-01" }];
  const before = await Promise.all(filters.map((filter) => list(filter)));
  expect(before.map((page) => page.total)).toEqual([total + 5, total + 5, 0, 0]);
  await rollUpCounters(pool, 2);
  expect(await countPendingDeltas()).toBe(0);
  expect(await Promise.all(filters.map((filter) => list(filter)))).toEqual(before);
});

it("lists count every order once while orders are created and two workers roll up counters", async () => {
  const ORDERS = 60;
  let { total: createdCount } = await list();
  let done = createdCount;
  const targetCount = createdCount + ORDERS;
  const making = async () => {
    while (createdCount < targetCount) {
      createdCount += 1;
      await createOrder(api);
      done += 1;
    }
  };
  const whileMaking = async (work: () => Promise<void>) => {
    while (done < targetCount) await work();
  };
  await Promise.all([
    making(),
    making(),
    ...[1, 3].map((batch) => whileMaking(() => rollUpCounters(pool, batch))),
    whileMaking(async () => {
      const least = done;
      const { total } = await list();
      expect(total).toBeGreaterThanOrEqual(least);
      expect(total).toBeLessThanOrEqual(createdCount);
    }),
  ]);
  expect((await list()).total).toBe(targetCount);
});
