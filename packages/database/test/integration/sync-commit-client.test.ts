import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isFailover } from "@tillgate/service/unavailable";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Database, openDatabase } from "../../src/database.js";
import { type EmbeddedServer, startEmbeddedServer } from "../../src/embedded/server.js";

let folder: string;
let server: EmbeddedServer;
let operator: pg.Client;
let database: Database;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-standby-"));
  server = await startEmbeddedServer({ dataDirectory: path.join(folder, "postgres"), fsync: false });
  operator = new pg.Client({ connectionString: server.url });
  await operator.connect();
  // The operator's own writes do not wait for a standby.
  await operator.query("SET synchronous_commit = local");
  await operator.query("CREATE TABLE payments (id text)");
  await operator.query("ALTER SYSTEM SET synchronous_standby_names = 'never_there'");
  await operator.query("SELECT pg_reload_conf()");
  // Test servers do not even wait for their own disk by default.
  const url = new URL(server.url);
  url.searchParams.set("options", "-c synchronous_commit=on");
  database = openDatabase({
    url: url.href,
    maxConnections: 2,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 30_000,
    onIdleError: () => undefined,
  });
});
afterAll(async () => {
  await database.close();
  await operator.end();
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Cancels the commit that waits for the standby, as an impatient operator would. */
async function cancelTheWait(): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { rows } = await operator.query(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      );
      return rows.length === 1;
    },
    { timeout: 10_000, interval: 20 },
  );
}
const written = async (id: string): Promise<number> =>
  (await operator.query("SELECT FROM payments WHERE id = $1", [id])).rowCount ?? 0;

it.each([
  {
    by: "one statement",
    write: (id: string) => database.pool.query("INSERT INTO payments VALUES ($1)", [id]),
  },
  {
    by: "a named statement",
    write: (id: string) =>
      database.pool.query({ name: "pay", text: "INSERT INTO payments VALUES ($1)", values: [id] }),
  },
  {
    by: "a transaction on one connection",
    async write(id: string) {
      const client = await database.pool.connect();
      try {
        await client.query("BEGIN");
        await client.query("INSERT INTO payments VALUES ($1)", [id]);
        await client.query("COMMIT");
      } finally {
        client.release();
      }
    },
  },
  {
    by: "a transaction of Prisma",
    write: (id: string) =>
      database.prisma.$transaction(async (tx) => tx.$executeRaw`INSERT INTO payments VALUES (${id})`),
  },
])(
  "SyncCommitClient reports a commit by $by as unknown when its wait for the standby is cancelled",
  async ({ by, write }) => {
    const outcome = write(by).then(
      () => "done",
      (error: unknown) => error,
    );
    await cancelTheWait();
    const error = await outcome;
    expect(error).not.toBe("done");
    expect(isFailover(error)).toBe(true);
    expect(await written(by)).toBe(1);
    // The connection still works, and the outcome of its next commit is known.
    expect((await database.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  },
);
