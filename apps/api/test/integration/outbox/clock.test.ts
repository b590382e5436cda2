import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { send } from "../../support/requests.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";
import { waitUntil } from "../../support/wait-until.js";
import { type OutboxHarness, openOutboxHarness } from "./support/harness.js";

const HOUR_MS = 3_600_000;
let engine: OutboxHarness;
let sandbox: Sandbox;

beforeAll(async () => {
  engine = await openOutboxHarness();
  sandbox = await openSandbox();
});
afterEach(async () => {
  vi.useRealTimers();
  await engine.stopAll();
});
afterAll(async () => {
  await engine.close();
  await sandbox.close();
});

/** Shifts this process's clock; timers and the database are unaffected. */
const setClock = (byMs: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + byMs });

describe("a process whose clock is an hour off", () => {
  it("signs webhooks with the database's time, so that receivers accept them", async () => {
    const real = Date.now();
    setClock(HOUR_MS);
    await engine.start();
    const order = await engine.createPaidOrder(engine.receiver.urlOf("/ok?clock"));
    await engine.waitForDelivery(order, "the event is delivered", ({ status }) => status === "delivered");
    const [got] = engine.receiver.requestsTo("/ok?clock");
    const timestamp = Number(got?.headers["webhook-timestamp"]) * 1_000;
    expect(Math.abs(timestamp - real)).toBeLessThan(60_000);
    const { rows } = await engine.sandbox.database.pool.query<{ off: number }>(
      "SELECT extract(epoch FROM now() - max(started_at))::float8 AS off FROM attempts",
    );
    expect(Math.abs(rows[0]?.off ?? Number.NaN)).toBeLessThan(60);
  });

  it("signs every second attempt with the process's time, so that receivers accept it if the database's time is wrong", async () => {
    setClock(HOUR_MS);
    await engine.start();
    const real = Date.now() - HOUR_MS;
    const order = await engine.createPaidOrder(engine.receiver.urlOf("/fails-twice?clock"));
    for (const attempt of [1, 2]) {
      const { id } = await engine.waitForDelivery(
        order,
        `attempt ${attempt} fails`,
        (delivery) => delivery.status === "pending" && delivery.attempt_count === attempt,
      );
      await engine.makeDue(id);
    }
    await engine.waitForDelivery(order, "the event is delivered", ({ status }) => status === "delivered");
    const hoursAhead = engine.receiver
      .requestsTo("/fails-twice?clock")
      // Not Math.round, which returns -0 for a small negative number.
      .map(({ headers }) =>
        Math.floor((Number(headers["webhook-timestamp"]) * 1_000 - real) / HOUR_MS + 0.5),
      );
    expect(hoursAhead).toEqual([0, 1, 0]);
  });

  it("reports the difference in readiness, metrics and log, and keeps serving requests", async () => {
    const api = await sandbox.startApi();
    const measured = async () =>
      Number(/^tillgate_clock_offset_seconds (\S+)$/m.exec(await api.metrics())?.[1]);
    await waitUntil("the clocks are compared", () => api.availability.clock.offsetMs !== undefined);
    expect(Math.abs(await measured())).toBeLessThan(60);
    expect((await send(`${api.url}/readyz`)).body).toEqual({ status: "ok" });
    setClock(HOUR_MS);
    await waitUntil("the API notices the offset", () => api.availability.clock.isOff);
    const { status, body } = await send(`${api.url}/readyz`);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(Math.abs(Number(Reflect.get(Object(body), "clock_offset_seconds")) - 3_600)).toBeLessThan(60);
    expect(Math.abs((await measured()) - 3_600)).toBeLessThan(60);
    expect(api.logs()).toContain("clock_off");
    vi.useRealTimers();
    await waitUntil("the API notices that the clock is right again", () => !api.availability.clock.isOff);
    expect((await send(`${api.url}/readyz`)).body).toEqual({ status: "ok" });
  });
});

describe("after a failover from a server whose clock was ten minutes ahead", () => {
  it("a delivery that failed on that server is retried without waiting the ten minutes", async () => {
    const worker = await engine.start();
    const order = await engine.createPaidOrder(engine.receiver.urlOf("/fails-twice?ahead"));
    const { id } = await engine.waitForDelivery(
      order,
      "the delivery fails",
      ({ status }) => status === "pending",
    );
    await worker.close();
    await engine.insertWithoutTriggers(
      "UPDATE attempts SET started_at = started_at + interval '10 minutes' WHERE delivery_id = $1",
      [id],
    );
    await engine.insertWithoutTriggers(
      "UPDATE deliveries SET next_attempt_at = next_attempt_at + interval '10 minutes' WHERE id = $1",
      [id],
    );
    await engine.start();
    const retried = await engine.waitForDelivery(
      order,
      "the delivery is retried",
      (delivery) => delivery.attempt_count === 2,
    );
    expect(retried).toMatchObject({ status: "pending" });
    expect(retried.wait_ms).toBeLessThan(120_000);
  });

  it("a delivery that was leased on that server is taken over", async () => {
    const order = await engine.createPaidOrder(engine.receiver.urlOf("/ok?leased"));
    const [{ id } = { id: "" }] = await engine.deliveriesOf(order);
    await engine.insertWithoutTriggers(
      `UPDATE deliveries SET leased_by = gen_random_uuid(), leased_at = clock_timestamp() + interval '10 minutes',
         leased_until = clock_timestamp() + interval '11 minutes', leased_as = 'first', leased_host = 'x' WHERE id = $1`,
      [id],
    );
    await engine.start();
    await engine.waitForDelivery(order, "the event is delivered", ({ status }) => status === "delivered");
  });
});
