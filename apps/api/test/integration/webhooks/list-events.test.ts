import {
  type EventList,
  eventListResponseSchema,
  PAY_API_PATH,
  webhookEventSchema,
} from "@tillgate/contract";
import type pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { MAX_LONG_POLLS } from "../../../src/events/feed.js";
import { countOf } from "../../support/counts.js";
import { createOrder } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { basic, errorOf, fieldError, type PayApi, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

let other: PayApi;

const { sandbox, server, api } = await createTestApi();
beforeAll(async () => {
  other = payApi(server, sandbox.access.other_merchant);
});

async function list(query: Record<string, string> = {}, from = api): Promise<EventList> {
  const { status, body, text } = await from.get("/events", query);
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = eventListResponseSchema.strict().parse(body);
  expect(response.message.success).toEqual(["Events retrieved"]);
  expect(response).toEqual(body);
  return response.data;
}

const ordersOf = ({ events }: EventList) => events.map(({ order_id }) => order_id);

/** Creates an event by cancelling an order. @returns the order's ID. */
async function cancelOrder(from = api): Promise<string> {
  const { order_id } = await createOrder(from);
  expect((await from.post(`/orders/${order_id}/cancel`)).status).toBe(200);
  return order_id;
}

/** Maximum duration of a transaction of other tests on this server, in milliseconds. */
const OTHERS_WRITE_MS = countOf({ full: 120_000, reduced: 40_000 });
const timeout = OTHERS_WRITE_MS + 20_000;

/** Waits until all committed events can be listed, because no older transaction is running on this server. */
const waitUntilListable = (): Promise<unknown> =>
  waitUntil(
    "no transaction is older than the newest event",
    async () => {
      const { rowCount } = await sandbox.database.pool.query(
        "SELECT WHERE NOT EXISTS (SELECT FROM events WHERE turn >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint)",
      );
      return rowCount === 1;
    },
    OTHERS_WRITE_MS,
  );

/** Cancels an order in a transaction without committing. @returns the transaction's connection */
async function startCancellation(orderId: string): Promise<pg.PoolClient> {
  const client = await sandbox.database.pool.connect();
  await client.query("BEGIN");
  await client.query(
    "UPDATE orders SET status = 'CANCELLED', state = 'CANCELLED', version = version + 1 WHERE id = $1",
    [orderId],
  );
  await client.query(
    "SELECT emit_event(mode, merchant_id, 'pos.order.cancelled', id) FROM orders WHERE id = $1",
    [orderId],
  );
  return client;
}

async function commit(client: pg.PoolClient): Promise<void> {
  await client.query("COMMIT");
  client.release();
}

describe("GET /events", { timeout }, () => {
  it("lists the oldest events first, each with its exact stored body, page by page to the end", async () => {
    const ids = [await cancelOrder(), await cancelOrder(), await cancelOrder()];
    await waitUntilListable();
    const first = await list({ per_page: "2" });
    expect(ordersOf(first)).toEqual(ids.slice(0, 2));
    expect(first.has_more).toBe(true);
    const second = await list({ per_page: "2", after: first.next });
    expect(ordersOf(second)).toEqual(ids.slice(2));
    expect(second.has_more).toBe(false);
    expect(ordersOf(await list({ after: second.next }))).toEqual([]);
    const { rows } = await sandbox.database.pool.query("SELECT id, body FROM events ORDER BY turn, number");
    const listed = [...first.events, ...second.events];
    expect(listed.map(({ id, body }) => ({ id, body }))).toEqual(rows);
    for (const { id, event, body } of listed)
      expect(webhookEventSchema.parse(JSON.parse(body))).toMatchObject({ id, event });
  });

  it("lists no events of another merchant or mode", async () => {
    const live = await addLiveCredential(sandbox, sandbox.access.merchant.client_id);
    const foreign = await cancelOrder(other);
    await waitUntilListable();
    expect(ordersOf(await list({}, other))).toEqual([foreign]);
    expect(ordersOf(await list())).not.toContain(foreign);
    expect(ordersOf(await list({}, payApi(server, live, "live")))).toEqual([]);
  });

  it("filters by event name, and the cursor advances past events of other names", async () => {
    const { next: start } = await list({ after: "now" });
    const id = await cancelOrder();
    await waitUntilListable();
    const paid = await list({ after: start, types: "pos.order.paid, payout.completed" });
    expect(paid.events).toEqual([]);
    expect((await list({ after: paid.next })).events).toEqual([]);
    expect(ordersOf(await list({ after: start, types: "pos.order.paid,pos.order.cancelled" }))).toEqual([id]);
  });

  it("does not advance the cursor for rolled-back transactions, whose IDs a crash could reuse", async () => {
    const id = await cancelOrder();
    await waitUntilListable();
    const { events, next } = await list({ per_page: "100" });
    expect(events.at(-1)?.order_id).toBe(id);
    for (let ended = 0; ended < 3; ended += 1) {
      const client = await sandbox.database.pool.connect();
      await client.query("BEGIN");
      await client.query("SELECT pg_current_xact_id()");
      await client.query("ROLLBACK");
      client.release();
    }
    expect((await list({ after: next })).next).toBe(next);
    expect((await list({ after: "now" })).next).toBe(next);
    expect((await list({ per_page: "100" })).next).toBe(next);
  });

  it("starts at the next event with after=now", async () => {
    await cancelOrder();
    await waitUntilListable();
    const { events, next } = await list({ after: "now" });
    expect(events).toEqual([]);
    const id = await cancelOrder();
    await waitUntilListable();
    expect(ordersOf(await list({ after: next }))).toEqual([id]);
  });

  it("lists each event once in order of position, even if the events commit in a different order", async () => {
    const { next: start } = await list({ after: "now" });
    const [early, late] = [await createOrder(api), await createOrder(api)];
    // The first transaction has the lower position and commits last.
    const first = await startCancellation(early.order_id);
    const second = await startCancellation(late.order_id);
    await commit(second);
    const meanwhile = await list({ after: start });
    expect(meanwhile.events).toEqual([]);
    await commit(first);
    await waitUntilListable();
    const rest = await list({ after: meanwhile.next });
    expect(ordersOf(rest)).toEqual([early.order_id, late.order_id]);
    expect((await list({ after: rest.next })).events).toEqual([]);
  });

  it("lists the events after a rolled-back transaction, and none of that transaction", async () => {
    const { next: start } = await list({ after: "now" });
    const order = await createOrder(api);
    const client = await startCancellation(order.order_id);
    await client.query("ROLLBACK");
    client.release();
    const id = await cancelOrder();
    await waitUntilListable();
    expect(ordersOf(await list({ after: start }))).toEqual([id]);
  });

  it("lists events of concurrent writers without loss or repetition", async () => {
    const { next: start } = await list({ after: "now" });
    const seen: string[] = [];
    let after = start;
    let writing = true;
    const follow = async () => {
      while (writing) {
        const page = await list({ after, per_page: "3" });
        seen.push(...page.events.map(({ id }) => id));
        after = page.next;
      }
    };
    const reader = follow();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 5; i++) await cancelOrder();
      }),
    );
    await waitUntilListable();
    writing = false;
    await reader;
    for (let page = await list({ after }); page.events.length > 0; page = await list({ after })) {
      seen.push(...page.events.map(({ id }) => id));
      after = page.next;
    }
    const all = await list({ after: start, per_page: "100" });
    expect(seen).toEqual(all.events.map(({ id }) => id));
    expect(seen).toHaveLength(20);
  });
});

describe("GET /events with wait", { timeout }, () => {
  it("returns as soon as an event is created", async () => {
    const { next } = await list({ after: "now" });
    const waiting = list({ after: next, wait: "30" });
    const id = await cancelOrder();
    const created = performance.now();
    expect(ordersOf(await waiting)).toEqual([id]);
    // Long before the wait ends.
    expect(performance.now() - created).toBeLessThan(10_000);
  });

  it("returns an event created while waiting, with after=now", async () => {
    let wasNotified = false;
    const waiting = list({ after: "now", wait: "30" }).finally(() => {
      wasNotified = true;
    });
    const created: string[] = [];
    await waitUntil("one of the events arrives", async () => {
      created.push(await cancelOrder());
      return wasNotified;
    });
    const [first] = ordersOf(await waiting);
    expect(created).toContain(first);
  });

  it("returns immediately if there is an event, and an empty page after the time limit", async () => {
    // Starts after all events, because "now" may precede an event held back by another transaction.
    await waitUntilListable();
    const { next } = await list({ per_page: "100" });
    const before = performance.now();
    expect((await list({ after: next, wait: "1" })).events).toEqual([]);
    expect(performance.now() - before).toBeGreaterThanOrEqual(990);
    await cancelOrder();
    await waitUntilListable();
    const startedAt = performance.now();
    expect((await list({ after: next, wait: "30" })).events).toHaveLength(1);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it(`lets ${MAX_LONG_POLLS} requests per merchant wait, and responds immediately to further requests, while other merchants can wait`, async () => {
    const { next } = await list({ after: "now" });
    const { taken, requested } = await exhaustLongPolls(next);
    expect(taken.map(ordersOf)).toEqual([[]]);
    const otherStart = (await list({ after: "now" }, other)).next;
    const others = list({ after: otherStart, wait: "30" }, other);
    const id = await cancelOrder();
    const reported = (await Promise.all(requested)).map(ordersOf);
    expect(reported.filter(([first]) => first === id)).toHaveLength(MAX_LONG_POLLS);
    const foreign = await cancelOrder(other);
    expect(ordersOf(await others)).toEqual([foreign]);
  });

  it("stops waiting when the client disconnects", async () => {
    const { next } = await list({ after: "now" });
    const leave = new AbortController();
    await exhaustLongPolls(next, async (query) => {
      const address = `${server.url}${PAY_API_PATH.sandbox}/events?${new URLSearchParams(query)}`;
      const headers = { authorization: basic(sandbox.access.merchant) };
      await fetch(address, { headers, signal: leave.signal }).catch(() => undefined);
      return { events: [], next, has_more: false };
    });
    leave.abort();
    await waitUntil("a long poll can wait again", async () => {
      const startedAt = performance.now();
      await list({ after: next, wait: "1" });
      return performance.now() - startedAt > 900;
    });
  });
});

/**
 * Starts one more long poll than allowed.
 * @returns all the polls, and the page of the poll that returned immediately
 */
async function exhaustLongPolls(after: string, request: typeof list = list) {
  const returned: EventList[] = [];
  const requests = Array.from({ length: MAX_LONG_POLLS + 1 }, async () => {
    const page = await request({ after, wait: "30" });
    returned.push(page);
    return page;
  });
  await waitUntil("one long poll has returned", () => returned.length > 0);
  return { taken: [...returned], requested: requests };
}

describe("GET /events query", { timeout }, () => {
  it.each([
    ["after", "0", "must be the next from an earlier response, or now"],
    ["after", "1.2.3", "must be the next from an earlier response, or now"],
    ["after", "-1.0", "must be the next from an earlier response, or now"],
    ["after", `${"9".repeat(19)}.0`, "must be the next from an earlier response, or now"],
    ["types", "pos.order.made", "must be event names, separated by commas"],
    ["types", "", "must be event names, separated by commas"],
    ["types", "tillgate.test", "must be event names, separated by commas"],
    ["per_page", "0", "must be a whole number from 1 to 100"],
    ["per_page", "101", "must be a whole number from 1 to 100"],
    ["wait", "31", "must be a whole number from 0 to 30"],
    ["wait", "-1", "must be a whole number from 0 to 30"],
    ["wait", "1.5", "must be a whole number from 0 to 30"],
  ])("rejects %s=%s", async (field, value, rest) => {
    expect(errorOf(await api.get("/events", { [field]: value }))).toEqual(fieldError(field, rest));
  });

  it("accepts after, per_page and wait at their limits", async () => {
    const far = await list({ after: `${"9".repeat(18)}.${"9".repeat(18)}` });
    expect(far).toEqual({ events: [], next: `${"9".repeat(18)}.${"9".repeat(18)}`, has_more: false });
    expect((await list({ after: "0.0", per_page: "1" })).events).toHaveLength(1);
    expect((await list({ per_page: "100", wait: "0" })).events.length).toBeGreaterThan(1);
  });
});
