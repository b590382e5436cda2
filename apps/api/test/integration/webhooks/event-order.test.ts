import { randomUUID } from "node:crypto";
import { type EventList, eventListResponseSchema } from "@tillgate/contract";
import { callOne, ledger } from "@tillgate/database";
import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { createOrder, createPaidOrder, REFUND_CREATED, readRefund } from "../../support/orders.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

/** Maximum time for which unrelated transactions may delay an event, generous for a busy machine. */
const BOUND_MS = 10_000;

let start: string;

const { sandbox, server, api, merchantId } = await createTestApi();
beforeEach(async () => {
  start = await waitUntil("no more events appear", async () => {
    const { next } = await list({ after: "now" });
    return (await list({ after: next })).events.length === 0 ? next : undefined;
  });
});

async function list(query: Record<string, string>): Promise<EventList> {
  const { status, body, text } = await api.get("/events", query);
  expect({ status, text }).toMatchObject({ status: 200 });
  return eventListResponseSchema.parse(body).data;
}

async function followEvents(count: number, after = start) {
  const seen: EventList["events"] = [];
  let next = after;
  await waitUntil(
    `${count} events are listed`,
    async () => {
      const page = await list({ after: next, per_page: "2" });
      seen.push(...page.events);
      next = page.next;
      return seen.length >= count;
    },
    BOUND_MS,
  );
  return { seen, next };
}

const cancelOrder = async (): Promise<string> => {
  const { order_id } = await createOrder(api);
  expect((await api.post(`/orders/${order_id}/cancel`)).status).toBe(200);
  return order_id;
};

async function beginTransaction(client: pg.ClientBase, first = "SELECT pg_current_xact_id()"): Promise<void> {
  await client.query("BEGIN");
  await client.query(first);
}

describe("events of one order", () => {
  it("are listed in commit order: a full refund after the partial refund that was committed before it", async () => {
    const { trxId } = await createPaidOrder(server, api);
    await followEvents(1);
    // The full refund has the lower transaction ID, as when it waits for the order's lock.
    const slow = await sandbox.database.pool.connect();
    await beginTransaction(slow);
    const first = readRefund(
      await api.post("/refunds", { transaction_id: trxId, amount: 1 }),
      REFUND_CREATED,
    );
    await callOne(slow, ledger.refundPayments, {
      refundId: "RF-20260101-SLOWLY",
      merchantId,
      mode: "sandbox",
      trxId,
      amount: null,
      reason: null,
      reference: null,
      transferId: randomUUID(),
      idempotencyKey: null,
      requestHash: Buffer.alloc(0),
      metadata: null,
      credentialId: null,
      requestId: null,
    });
    await slow.query("COMMIT");
    slow.release();
    const { seen } = await followEvents(4);
    expect(seen.slice(1).map(({ event }) => event)).toEqual([
      "refund.completed",
      "refund.completed",
      "pos.order.refunded",
    ]);
    const reported = seen.flatMap(({ body, event }) =>
      event === "refund.completed" ? JSON.parse(body).data.refund_id : [],
    );
    expect(reported).toEqual([first.refund_id, "RF-20260101-SLOWLY"]);
  });
});

describe("a forgotten open transaction", () => {
  it("does not delay events if it is in another database of the server", async () => {
    const address = new URL(process.env.TILLGATE_TEST_POSTGRES_URL ?? "");
    const forgotten = new pg.Client({ connectionString: address.href });
    await forgotten.connect();
    await beginTransaction(forgotten);
    try {
      const id = await cancelOrder();
      expect((await followEvents(1)).seen.map(({ order_id }) => order_id)).toEqual([id]);
    } finally {
      await forgotten.end();
    }
  });

  it.each([
    ["wrote to another table", "UPDATE merchants SET name = name"],
    [
      "only read the events",
      "WITH number AS (SELECT pg_current_xact_id()) SELECT count(*) FROM number, events",
    ],
  ])(
    "does not delay events if it %s; an event that it writes later is listed after them and not missed",
    async (_, first) => {
      const forgotten = await sandbox.database.pool.connect();
      await beginTransaction(forgotten, first);
      const ids = [await cancelOrder(), await cancelOrder()];
      const { seen, next } = await followEvents(2);
      expect(seen.map(({ order_id }) => order_id)).toEqual(ids);
      // The transaction's ID is below those of all listed events, but its event must be listed after them.
      const late = await createOrder(api);
      await callOne(forgotten, ledger.cancelOrder, {
        orderId: late.order_id,
        mode: "sandbox",
        requestId: null,
      });
      ids.push(await cancelOrder());
      expect((await list({ after: next })).events).toEqual([]);
      await forgotten.query("COMMIT");
      forgotten.release();
      const rest = await followEvents(2, next);
      expect(new Set(rest.seen.map(({ order_id }) => order_id))).toEqual(new Set([late.order_id, ids[2]]));
      expect((await list({ after: rest.next })).events).toEqual([]);
      expect((await list({ after: start, per_page: "100" })).events.map(({ id }) => id)).toEqual(
        [...seen, ...rest.seen].map(({ id }) => id),
      );
    },
  );

  it("delays later events once it has written an event, and is logged with its process; none of the events is lost when it ends", async () => {
    const early = await createOrder(api);
    const slow = await sandbox.database.pool.connect();
    await beginTransaction(slow, `SELECT cancel_order('${early.order_id}', 'sandbox')`);
    const { rows } = await slow.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const id = await cancelOrder();
    await waitUntil("the delay is logged", async () => {
      expect((await list({ after: start })).events).toEqual([]);
      return server.logs().includes('"event":"events_held_back"');
    });
    expect(server.logs()).toContain(`"process":${rows[0]?.pid}`);
    await slow.query("COMMIT");
    slow.release();
    expect((await followEvents(2)).seen.map(({ order_id }) => order_id)).toEqual([early.order_id, id]);
  });

  it("has an idle timeout of one minute on Tillgate's own connections", async () => {
    const { rows } = await sandbox.database.pool.query("SHOW idle_in_transaction_session_timeout");
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: "1min" }]);
  });
});

it("a reader that follows GET /events gets every event once while slow and idle transactions come and go", async () => {
  const idle = await sandbox.database.pool.connect();
  await beginTransaction(idle);
  let writing = true;
  const seen: string[] = [];
  let after = start;
  const reader = (async () => {
    while (writing) {
      const page = await list({ after, per_page: "3" });
      seen.push(...page.events.map(({ order_id }) => order_id ?? ""));
      after = page.next;
    }
  })();
  const created: string[] = [];
  await Promise.all(
    Array.from({ length: 3 }, async (_, writer) => {
      for (let i = 0; i < 4; i++) {
        const { order_id } = await createOrder(api);
        created.push(order_id);
        const client = await sandbox.database.pool.connect();
        await beginTransaction(client);
        // Long enough for the reader to read later events first.
        if (i % 3 === writer % 3) await client.query("SELECT pg_sleep(1.2)");
        await callOne(client, ledger.cancelOrder, { orderId: order_id, mode: "sandbox", requestId: null });
        await client.query("COMMIT");
        client.release();
      }
    }),
  );
  await waitUntil("all events have arrived", () => seen.length >= created.length, 4 * BOUND_MS);
  writing = false;
  await reader;
  await idle.query("ROLLBACK");
  idle.release();
  expect(seen.toSorted()).toEqual(created.toSorted());
  expect((await list({ after: start, per_page: "100" })).events.map(({ order_id }) => order_id)).toEqual(
    seen,
  );
}, 90_000);
