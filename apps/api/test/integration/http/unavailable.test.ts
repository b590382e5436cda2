import { errorEnvelopeSchema } from "@tillgate/contract";
import { openDatabase } from "@tillgate/database";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { RESPONSE_LIMIT_MS, watchAvailability } from "../../../src/platform/availability.js";
import { type ApiProcess, startApi } from "../../support/api-process.js";
import { type DatabaseProxy, startDatabaseProxy } from "../../support/database-proxy.js";
import { createOrder, getOrder, ORDER_CREATED, readOrder } from "../../support/orders.js";
import { type ApiResponse, type PayApi, payApi, send } from "../../support/requests.js";
import { createTestSandbox } from "../../support/test-api.js";
import { testSeed } from "../../support/test-database.js";
import { waitUntil } from "../../support/wait-until.js";

/** Long enough to detect a frozen database, and far below the statement timeout. */
const IN_PROGRESS_LIMIT_MS = 6_000;
const POOL_SIZE = 2;
/** Far above the duration of an immediate rejection, even on a busy machine. */
const WAIT_FOR_CONNECTION_MS = 3_000;

let proxy: DatabaseProxy;
let api: ApiProcess;
let merchant: PayApi;
let closeDatabase: () => Promise<void>;

const sandbox = await createTestSandbox();
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
  // Express prints no errors in test mode, so the API runs as in production.
  vi.stubEnv("NODE_ENV", "production");
  api = await startApi(
    { databaseUrl: proxy.url, database, keys: testSeed().keys },
    { responseLimitMs: RESPONSE_LIMIT_MS, environment: { TILLGATE_DATABASE_WAITING: "3" } },
  );
  vi.unstubAllEnvs();
  merchant = payApi(api, sandbox.access.merchant);
});
beforeEach(async () => {
  await waitUntil("the API is ready", async () => (await send(`${api.url}/readyz`)).status === 200);
});
afterAll(async () => {
  await api.close();
  await closeDatabase();
  await proxy.close();
});

const readiness = async (): Promise<unknown> => {
  const response = await send(`${api.url}/readyz`);
  return response.status === 200 ? "ready" : errorEnvelopeSchema.parse(response.body).error_code;
};

function expectUnavailable(response: ApiResponse): void {
  expect({ status: response.status, text: response.text }).toMatchObject({ status: 503 });
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(errorEnvelopeSchema.parse(response.body).message.code).toBe(503);
  expect(response.text).not.toMatch(/postgres|ECONN|timeout|pool|stack/i);
}

const postOrder = (): Promise<ApiResponse> => merchant.post("/orders", { amount: 1, currency: "EUR" });

async function timed(work: () => Promise<ApiResponse>): Promise<{ response: ApiResponse; ms: number }> {
  const startedAt = performance.now();
  return { response: await work(), ms: performance.now() - startedAt };
}

/** Takes every pooled connection. @returns a function that releases them. */
async function holdPool(): Promise<() => void> {
  const { pool } = api.context.database;
  const held = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.connect()));
  return () => {
    for (const client of held) client.release();
  };
}

describe("API without a working database", () => {
  it("responds with 503 and Retry-After while PostgreSQL is down, even on /readyz, and without delay once the outage is detected", async () => {
    await proxy.stop();
    try {
      expectUnavailable(await postOrder());
      await waitUntil("the outage is detected", () =>
        api.logs().includes("the database is unavailable; rejecting requests"),
      );
      const { response, ms } = await timed(postOrder);
      expectUnavailable(response);
      expect(ms).toBeLessThan(WAIT_FOR_CONNECTION_MS);
      expectUnavailable(await send(`${api.url}/readyz`));
    } finally {
      await proxy.restart();
    }
    await waitUntil("the API serves again", async () => (await postOrder()).status === 200);
  });

  it("responds with 503 and Retry-After while PostgreSQL is starting", async () => {
    proxy.rejectWith("57P03");
    try {
      await sandbox.executeAsSuperuser(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'tillgate%'`,
      );
      expectUnavailable(await postOrder());
    } finally {
      proxy.rejectWith(undefined);
    }
    await waitUntil("the API serves again", async () => (await postOrder()).status === 200);
  });

  it("responds with 503 and Retry-After while PostgreSQL has no connections left", async () => {
    proxy.rejectWith("53300");
    try {
      await sandbox.executeAsSuperuser(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'tillgate%'`,
      );
      expectUnavailable(await postOrder());
    } finally {
      proxy.rejectWith(undefined);
    }
    await waitUntil("the API serves again", async () => (await postOrder()).status === 200);
  });

  it("responds with 503 and Retry-After within seconds while PostgreSQL is frozen, even to requests in progress, whose later errors are not printed", async () => {
    const before = await createOrder(merchant);
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    proxy.freeze();
    let responses: { response: ApiResponse; ms: number }[];
    try {
      responses = await Promise.all([
        timed(postOrder),
        timed(() => merchant.get(`/orders/${before.order_id}`)),
      ]);
      const { response: later, ms } = await timed(postOrder);
      expectUnavailable(later);
      expect(ms).toBeLessThan(RESPONSE_LIMIT_MS);
      expectUnavailable(await send(`${api.url}/readyz`));
      expect((await send(`${api.url}/healthz`)).status).toBe(200);
    } finally {
      proxy.thaw();
    }
    for (const { response, ms } of responses) {
      expectUnavailable(response);
      expect(ms).toBeLessThan(IN_PROGRESS_LIMIT_MS);
    }
    await waitUntil("the API serves again", async () => (await postOrder()).status === 200);
    expect((await getOrder(merchant, before.order_id)).status).toBe("PENDING");
    // Errors after the response must not be printed: they contain database messages.
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it("responds with 503 and Retry-After without delay when all pooled connections are in use and the queue is full", async () => {
    const release = await holdPool();
    try {
      const waiting = Promise.all([postOrder(), postOrder(), postOrder()]);
      await waitUntil("three requests wait", () => api.context.database.pool.waitingCount >= 3);
      expect(await readiness()).toBe("database_busy");
      const { response, ms } = await timed(postOrder);
      expectUnavailable(response);
      expect(ms).toBeLessThan(WAIT_FOR_CONNECTION_MS);
      expectUnavailable(await send(`${api.url}/readyz`));
      for (const late of await waiting) expectUnavailable(late);
    } finally {
      release();
    }
    expect((await postOrder()).status).toBe(200);
  });

  it("responds with 503 and Retry-After to writes while the database's disk is full; reads are served, and the readiness check reports the full disk", async () => {
    const before = await createOrder(merchant);
    await sandbox.executeAsSuperuser(`
      CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file "base/1/1": No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER no_room BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION no_room()`);
    try {
      // The availability watch probes once a second and succeeds, because the disk is not really full.
      await waitUntil("the readiness check reports the full disk", async () => {
        expectUnavailable(await postOrder());
        return (await readiness()) === "database_full";
      });
      expect((await getOrder(merchant, before.order_id)).status).toBe("PENDING");
    } finally {
      await sandbox.executeAsSuperuser("DROP FUNCTION no_room() CASCADE");
    }
    await waitUntil("the API is ready again", async () => (await readiness()) === "ready");
    expect((await postOrder()).status).toBe(200);
  });
});

describe("a write whose connection breaks", () => {
  const WAITING = `
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'tillgate' AND wait_event_type = 'Lock'`;

  it("is retried if it has an idempotency key, and otherwise gets 503", async () => {
    const keyed = { amount: 41.5, currency: "EUR", idempotency_key: "broken once" };
    // As superuser, because another role can terminate only its own sessions.
    const url = new URL(sandbox.url);
    url.search = "";
    const locking = new pg.Client({ connectionString: url.href });
    await locking.connect();
    await locking.query("BEGIN");
    await locking.query("LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE");
    // A separate connection, because pg_stat_activity does not change within a transaction.
    const looking = new pg.Client({ connectionString: url.href });
    await looking.connect();
    const waiting = async (count: number) => (await looking.query(WAITING)).rowCount === count;
    const first = merchant.post("/orders", keyed);
    // The writes start one after the other, so that they do not share a group.
    await waitUntil("one write waits", () => waiting(1));
    const responses = Promise.all([first, postOrder()]);
    await waitUntil("both writes wait", () => waiting(2));
    await looking.query(`SELECT pg_terminate_backend(pid) FROM (${WAITING}) AS waiting`);
    await locking.query("ROLLBACK");
    await Promise.all([locking.end(), looking.end()]);
    const [withKey, without] = await responses;
    expectUnavailable(without);
    const created = readOrder(withKey, ORDER_CREATED);
    const again = await merchant.post("/orders", keyed);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(readOrder(again, ORDER_CREATED).order_id).toBe(created.order_id);
  });
});

describe("database", () => {
  /**
   * Runs the availability watch with replaced PostgreSQL functions until it detects an outage.
   * @returns the watch's check
   */
  async function withServerFunctions(functions: string): Promise<() => void> {
    await sandbox.executeAsSuperuser(
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
    await waitUntil("the outage is detected", async () => !watch.reachable);
    await watch.close();
    return watch.check;
  }

  it("is reported unavailable when it becomes a standby", async () => {
    const check = await withServerFunctions(
      "CREATE FUNCTION instead.pg_is_in_recovery() RETURNS bool LANGUAGE sql AS 'SELECT true'",
    );
    expect(check).toThrow("the database is unavailable");
  });

  it("is reported unavailable when its commits wait for a standby or a disk", async () => {
    const check = await withServerFunctions(
      `CREATE FUNCTION instead.pg_logical_emit_message(bool, text, text) RETURNS void LANGUAGE sql
       AS 'SELECT pg_sleep(60)'`,
    );
    expect(check).toThrow("the database is unavailable");
  });
});
