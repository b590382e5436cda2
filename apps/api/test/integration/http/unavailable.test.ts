import { errorEnvelopeSchema } from "@tillgate/contract";
import { openDatabase } from "@tillgate/database";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { RESPONSE_LIMIT_MS, watchAvailability } from "../../../src/platform/availability.js";
import { type ApiProcess, startApi } from "../../support/api-process.js";
import { type DatabaseProxy, startDatabaseProxy } from "../../support/database-proxy.js";
import { CREATED, createOrder, getOrder, readOrder } from "../../support/orders.js";
import { type Answer, type PayApi, payApi, send } from "../../support/requests.js";
import { sandboxOfFile } from "../../support/scene.js";
import { testSeed } from "../../support/test-database.js";
import { until } from "../../support/until.js";

/** Late enough for a frozen database to be noticed, and far from the time that a statement may take. */
const EARLY_MS = 6_000;
const POOL_SIZE = 2;
const WAIT_FOR_CONNECTION_MS = 500;

let proxy: DatabaseProxy;
let api: ApiProcess;
let merchant: PayApi;
let closeDatabase: () => Promise<void>;

const sandbox = await sandboxOfFile();
beforeAll(async () => {
  proxy = await startDatabaseProxy(sandbox.url);
  const database = openDatabase({
    url: proxy.url,
    maxConnections: POOL_SIZE,
    connectTimeoutMs: WAIT_FOR_CONNECTION_MS,
    statementTimeoutMs: 15_000,
    onIdleError: () => undefined,
  });
  closeDatabase = () => database.close();
  // In a test Express prints no error, so the api is made as in production.
  vi.stubEnv("NODE_ENV", "production");
  api = await startApi(
    { databaseUrl: proxy.url, database, keys: testSeed().keys },
    { responseLimitMs: RESPONSE_LIMIT_MS, environment: { TILLGATE_DATABASE_WAITING: "3" } },
  );
  vi.unstubAllEnvs();
  merchant = payApi(api, sandbox.access.merchant);
});
beforeEach(async () => {
  await until("it serves", async () => (await send(`${api.url}/readyz`)).status === 200);
});
afterAll(async () => {
  await api.close();
  await closeDatabase();
  await proxy.close();
});

/** What a monitor reads: why it is not ready. */
const readiness = async (): Promise<unknown> => {
  const answer = await send(`${api.url}/readyz`);
  return answer.status === 200 ? "ready" : errorEnvelopeSchema.parse(answer.body).error_code;
};

/** 503, the error envelope, when to come again, and nothing of what is behind it. */
function expectUnavailable(answer: Answer): void {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 503 });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(errorEnvelopeSchema.parse(answer.body).message.code).toBe(503);
  expect(answer.text).not.toMatch(/postgres|ECONN|timeout|pool|stack/i);
}

const make = (): Promise<Answer> => merchant.post("/orders", { amount: 1, currency: "EUR" });

async function timed(work: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const startedAt = performance.now();
  return { answer: await work(), ms: performance.now() - startedAt };
}

/** Holds every connection of the pool until the returned call. */
async function holdPool(): Promise<() => void> {
  const { pool } = api.context.database;
  const held = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.connect()));
  return () => {
    for (const client of held) client.release();
  };
}

describe("503 with Retry-After, never 500,", () => {
  it("while PostgreSQL is down, immediately and on /readyz alike, until it is back", async () => {
    await proxy.goAway();
    try {
      expectUnavailable(await make());
      await until("the watch has noticed", () =>
        api.logged().includes("the database does not respond; rejecting requests"),
      );
      const { answer, ms } = await timed(make);
      expectUnavailable(answer);
      expect(ms).toBeLessThan(WAIT_FOR_CONNECTION_MS);
      expectUnavailable(await send(`${api.url}/readyz`));
    } finally {
      await proxy.comeBack();
    }
    await until("it serves again", async () => (await make()).status === 200);
  });

  it("while PostgreSQL is starting", async () => {
    proxy.answer("57P03");
    try {
      await sandbox.administer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'tillgate%'`,
      );
      expectUnavailable(await make());
    } finally {
      proxy.answer(undefined);
    }
    await until("it serves again", async () => (await make()).status === 200);
  });

  it("while PostgreSQL has no connection left", async () => {
    proxy.answer("53300");
    try {
      await sandbox.administer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'tillgate%'`,
      );
      expectUnavailable(await make());
    } finally {
      proxy.answer(undefined);
    }
    await until("it serves again", async () => (await make()).status === 200);
  });

  it("while PostgreSQL is frozen, also for requests in progress, within seconds; nothing is lost afterwards", async () => {
    const before = await createOrder(merchant);
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    proxy.freeze();
    let answers: { answer: Answer; ms: number }[];
    try {
      answers = await Promise.all([timed(make), timed(() => merchant.get(`/orders/${before.order_id}`))]);
      const { answer: later, ms } = await timed(make);
      expectUnavailable(later);
      expect(ms).toBeLessThan(1_000);
      expectUnavailable(await send(`${api.url}/readyz`));
      expect((await send(`${api.url}/healthz`)).status).toBe(200);
    } finally {
      proxy.thaw();
    }
    for (const { answer, ms } of answers) {
      expectUnavailable(answer);
      expect(ms).toBeLessThan(EARLY_MS);
    }
    await until("it serves again", async () => (await make()).status === 200);
    expect((await getOrder(merchant, before.order_id)).status).toBe("PENDING");
    // What a route finds after its caller was answered is nobody's answer, and holds what the database said.
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it("when all pooled connections are in use and the queue is full, immediately", async () => {
    const release = await holdPool();
    try {
      const waiting = Promise.all([make(), make(), make()]);
      await until("three calls wait", () => api.context.database.pool.waitingCount >= 3);
      expect(await readiness()).toBe("database_busy");
      const { answer, ms } = await timed(make);
      expectUnavailable(answer);
      expect(ms).toBeLessThan(WAIT_FOR_CONNECTION_MS);
      expectUnavailable(await send(`${api.url}/readyz`));
      for (const late of await waiting) expectUnavailable(late);
    } finally {
      release();
    }
    expect((await make()).status).toBe(200);
  });

  it("for writes while the database's disk is full; reads are served, and readiness and console report it", async () => {
    const before = await createOrder(merchant);
    await sandbox.administer(`
      CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file "base/1/1": No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER no_room BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION no_room()`);
    try {
      // Once a second it looks for room, and finds some: the disk is not really full.
      await until("a monitor is told", async () => {
        expectUnavailable(await make());
        return (await readiness()) === "database_full";
      });
      expect((await getOrder(merchant, before.order_id)).status).toBe("PENDING");
    } finally {
      await sandbox.administer("DROP FUNCTION no_room() CASCADE");
    }
    await until("there is room again", async () => (await readiness()) === "ready");
    expect((await make()).status).toBe(200);
  });
});

describe("a connection that breaks during a write", () => {
  const WAITING = `
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'tillgate' AND wait_event_type = 'Lock'`;

  it("is retried behind an idempotency key; without one the error says that the outcome is unknown", async () => {
    const keyed = { amount: 41.5, currency: "EUR", idempotency_key: "broken once" };
    // As superuser: a role sees, and ends, its own sessions only.
    const url = new URL(sandbox.url);
    url.search = "";
    const locking = new pg.Client({ connectionString: url.href });
    await locking.connect();
    await locking.query("BEGIN");
    await locking.query("LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE");
    // In a transaction the first look at the sessions would stay what all later ones see.
    const looking = new pg.Client({ connectionString: url.href });
    await looking.connect();
    const waiting = async (count: number) => (await looking.query(WAITING)).rowCount === count;
    const first = merchant.post("/orders", keyed);
    // One after the other, or both are made as one set.
    await until("one waits", () => waiting(1));
    const answers = Promise.all([first, make()]);
    await until("both wait", () => waiting(2));
    await looking.query(`SELECT pg_terminate_backend(pid) FROM (${WAITING}) AS waiting`);
    await locking.query("ROLLBACK");
    await Promise.all([locking.end(), looking.end()]);
    const [withKey, without] = await answers;
    expectUnavailable(without);
    const made = readOrder(withKey, CREATED);
    const again = await merchant.post("/orders", keyed);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(readOrder(again, CREATED).order_id).toBe(made.order_id);
  });
});

describe("the database is reported unavailable", () => {
  /** What the watch finds when the server's own functions are these. */
  async function foundBy(functions: string): Promise<() => void> {
    await sandbox.administer(
      `DROP SCHEMA IF EXISTS instead CASCADE; CREATE SCHEMA instead; GRANT USAGE ON SCHEMA instead TO PUBLIC; ${functions}`,
    );
    const url = new URL(sandbox.url);
    url.searchParams.set("options", "-c search_path=instead,pg_catalog");
    const watch = watchAvailability({
      databaseUrl: url.href,
      pool: { waitingCount: 0 },
      maxWaiting: 1,
      log: { error: vi.fn(), warn: vi.fn(), info: vi.fn() },
      responseLimitMs: 500,
    });
    await until("it is noticed", async () => !watch.reachable);
    await watch.close();
    return watch.check;
  }

  it("when it became a standby", async () => {
    const check = await foundBy(
      "CREATE FUNCTION instead.pg_is_in_recovery() RETURNS bool LANGUAGE sql AS 'SELECT true'",
    );
    expect(check).toThrow("does not respond");
  });

  it("when its commits wait for a standby or a disk", async () => {
    const check = await foundBy(
      `CREATE FUNCTION instead.pg_logical_emit_message(bool, text, text) RETURNS void LANGUAGE sql
       AS 'SELECT pg_sleep(60)'`,
    );
    expect(check).toThrow("does not respond");
  });
});
