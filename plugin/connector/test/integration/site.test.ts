import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMetrics } from "../../src/health/metrics.js";
import { wireConnector } from "../../src/wire-connector.js";
import { CLIENT_SECRET } from "./fakes/fake-tillgate.js";
import { startedOrder } from "./fakes/orders.js";
import { type Bench, CONSUMER_SECRET, setUp } from "./fakes/set-up.js";

let live: Bench;
beforeEach(async () => {
  live = await setUp();
});
afterEach(() => live.close());

/** Creates a connector for another site that uses the live connector's database, as a clone would. */
const cloneFor = (siteUrl: string, movedFrom: string | null = null) =>
  wireConnector({
    records: live.records,
    metrics: createMetrics().metrics,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    settings: {
      storeId: "demo",
      siteUrl,
      movedFrom,
      callbackUrl: "http://staging-connector.test/v1/stores/demo/webhook",
      returnUrl: "http://staging.test/?order={order_id}&key={order_key}",
      credentials: [{ mode: "sandbox", clientId: "ci_demo", clientSecret: CLIENT_SECRET }],
    },
    store: {
      url: live.store.url,
      consumerKey: "ck_0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
      consumerSecret: CONSUMER_SECRET,
    },
    tillgate: {
      baseUrl: "https://tillgate.test",
      fetch: (address, init) =>
        fetch(String(address).replace("https://tillgate.test", live.tillgate.url), init),
    },
  });

describe("a connector on a cloned database", () => {
  it("makes no changes until the owner decides, whether or not the store URL has changed", async () => {
    const { id, tillgateOrder } = await startedOrder(live);
    for (const siteUrl of ["http://staging.test", live.store.url]) {
      const clone = cloneFor(siteUrl);
      live.store.edit(id, { status: "pending" });
      await live.makeDue();
      const writes = live.store.writes.length;
      for (const work of [
        () => clone.sweep(),
        () => clone.startPayment({ storeOrderId: id, orderKey: live.store.order(id).order_key }),
        () => clone.receiveWebhook({ headers: {}, body: new Uint8Array() }),
        () => clone.runComparison(),
      ])
        await expect(work()).rejects.toMatchObject({ code: "site_moved", status: 503 });
      expect(live.store.writes).toHaveLength(writes);
      expect(live.tillgate.order(tillgateOrder).status).toBe("PENDING");
      const { problems, can_pay } = await clone.health();
      expect(can_pay).toBe(false);
      expect(problems).toContainEqual(
        expect.objectContaining({ kind: "site", text: expect.stringContaining("set moved_from") }),
      );
    }
  });

  it("continues at the new URL when moved_from is set, and the connector at the old URL stops", async () => {
    const { tillgateOrder, id } = await startedOrder(live);
    const moved = cloneFor("http://new-store.test", live.store.url);
    live.tillgate.set(tillgateOrder, "PAID");
    await live.makeDue();
    await moved.sweep();
    expect(live.store.order(id).status).toBe("processing");
    expect((await moved.health()).problem_counts.site).toBeUndefined();
    // The old connector is still running.
    const requests = live.tillgate.requests.length;
    await expect(live.connector.sweep()).rejects.toMatchObject({ code: "site_moved" });
    live.store.add({ id: id + 1_000 });
    expect((await live.start(id + 1_000)).status).toBe(503);
    expect(live.tillgate.requests).toHaveLength(requests);
  });

  it("identifies its site in every call to Tillgate, with an ID that stays the same after a move", async () => {
    await startedOrder(live);
    const moved = cloneFor("http://new-store.test/shop/", live.store.url);
    await moved.sweep();
    const { sites } = live.tillgate;
    const id = /; id=([0-9a-f-]{36})$/.exec(sites[0] ?? "")?.[1];
    expect(new Set(sites)).toEqual(
      new Set([`${new URL(live.store.url).host}; id=${id}`, `new-store.test/shop; id=${id}`]),
    );
  });
});
