import { openDatabase } from "@tillgate/database";
import { expect, it, onTestFinished } from "vitest";
import { startApi } from "../../../../apps/api/test/support/api-process.js";
import { withClient } from "../../../src/connected.js";
import { PAIR_FAULTS, type Pair, startPair } from "../../../src/pair.js";
import { type System, startSystem } from "../../../src/system.js";
import { createFolder, recordAndCheck } from "./two-processes.js";

const OPERATIONS = 600;
const CLIENTS = 8;
const TIMEOUT_MS = 600_000;
const LAG = "300ms";
/** Only in long runs, because starting a pair of servers takes about 20 s. */
const inLongRun = it.runIf(process.env.TILLGATE_TEST_COUNTS === "full");

async function startPairOfServers({ synchronous }: { synchronous: boolean }): Promise<System<Pair>> {
  const system = await startSystem(await createFolder(), synchronous, startPair);
  onTestFinished(() => system.stop());
  return system;
}

async function failOver(system: System<Pair>): Promise<void> {
  const fault = PAIR_FAULTS.find(({ name }) => name === "the primary cut from its standby, then killed");
  if (!fault) throw new Error("the fault does not exist");
  await fault.inject(system.cluster, system);
  await system.cluster.recovered();
}

inLongRun(
  "a failover with synchronous replication leaves a strictly serializable history",
  async () => {
    const system = await startPairOfServers({ synchronous: true });
    const verdict = await recordAndCheck(system, { operations: OPERATIONS, clients: CLIENTS }, () =>
      failOver(system),
    );
    expect(verdict.anomalies).toEqual([]);
  },
  TIMEOUT_MS,
);

inLongRun(
  "a loss in a failover with asynchronous replication is detected",
  async () => {
    const system = await startPairOfServers({ synchronous: false });
    const { counts } = await recordAndCheck(system, { operations: OPERATIONS, clients: CLIENTS }, () =>
      failOver(system),
    );
    expect([...counts.keys()]).toContain("lost update");
  },
  TIMEOUT_MS,
);

/** Opens a database as the API does, and closes it at the end of the test. */
function open(url: string): ReturnType<typeof openDatabase> {
  const database = openDatabase({
    url,
    maxConnections: 10,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 20_000,
    onIdleError: () => undefined,
  });
  onTestFinished(() => database.close());
  return database;
}

inLongRun(
  "stale statements from a lagging standby are detected, even though each was correct earlier",
  async () => {
    const system = await startPairOfServers({ synchronous: true });
    const { access, cluster, internalKey, origins, settings, superuserUrl } = system;
    const standbyUrl = superuserUrl(cluster.nodes[1]?.postgresPort ?? 0);
    await withClient(standbyUrl, async (client) => {
      await client.query(`ALTER SYSTEM SET recovery_min_apply_delay = '${LAG}'`);
      await client.query("SELECT pg_reload_conf()");
    });
    const standby = open(standbyUrl);
    const databaseUrl = settings.DATABASE_URL ?? "";
    const api = await startApi(
      { databaseUrl, database: open(databaseUrl), keys: settings.TILLGATE_ENCRYPTION_KEYS ?? "" },
      {
        environment: { TILLGATE_INTERNAL_KEY: internalKey },
        change: (context) => {
          const { pool } = context.database;
          const query = (text: unknown, ...values: unknown[]) => {
            const isStatement = typeof text === "string" && text.includes('n.id AS "entryId"');
            return Reflect.apply(pool.query, isStatement ? standby.pool : pool, [text, ...values]);
          };
          const reading = Object.create(pool, { query: { value: query } });
          return { ...context, database: { ...context.database, pool: reading } };
        },
      },
    );
    onTestFinished(() => api.close());
    const address = { access, internalKey, origins: [...origins, api.url] };
    const { counts } = await recordAndCheck(address, { operations: OPERATIONS, clients: CLIENTS });
    expect([...counts.keys()]).toEqual(["stale read (G-single-realtime)"]);
  },
  TIMEOUT_MS,
);
