import { chmod, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type EmbeddedServer, startEmbeddedServer } from "@tillgate/database/embedded";
import { withConnection } from "@tillgate/migrate";
import type { Queryable } from "@tillgate/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readArchiving } from "../../../src/platform/health.js";
import { createTestSandbox } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const sandbox = await createTestSandbox();
let folder: string;
let server: EmbeddedServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-archiving-"));
  // PostgreSQL's account must be able to enter the folder.
  await chmod(folder, 0o755);
  const backupFolder = path.join(folder, "backup");
  server = await startEmbeddedServer({
    dataDirectory: path.join(folder, "data"),
    fsync: false,
    backupFolder,
  });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const connected = <Result>(work: (client: Queryable) => Promise<Result>) =>
  withConnection({ connectionString: server.url }, work);
const query = (text: string) => connected((client) => client.query(text));
const commit = () => query("CREATE TABLE IF NOT EXISTS changes (); INSERT INTO changes DEFAULT VALUES");
const switchSegment = () => query("SELECT pg_switch_wal()");
const archiving = async () => {
  const state = await connected(readArchiving);
  if (state === undefined) throw new Error("this server does not archive");
  return state;
};

describe("WAL archiving", () => {
  it("is not reported if PostgreSQL does not archive WAL", async () => {
    expect(await readArchiving(sandbox.database.pool)).toBeUndefined();
  });

  it("is reported with neither a last archiving time nor a number of waiting segments until a segment is archived", async () => {
    expect(await archiving()).toEqual({ archivedAt: null, failingSince: null, waitingSegments: null });
  });

  it("starts with a checkpoint, without which archive_timeout would be ignored for up to five minutes", async () => {
    const { rows } = await query("SELECT num_requested > 0 AS requested FROM pg_stat_checkpointer");
    expect(rows).toEqual([{ requested: true }]);
  });

  it("is reported as failing while the archive is missing, and as working when it returns", async () => {
    await commit();
    await switchSegment();
    const healthy = await waitUntil("a segment is archived", async () => {
      const state = await archiving();
      return state.archivedAt !== null && state.waitingSegments === 0 && state;
    });
    expect(healthy.failingSince).toBeNull();

    const archive = path.join(folder, "backup/wal");
    await rename(archive, `${archive}-away`);
    for (let segments = 0; segments < 4; segments += 1) {
      await commit();
      await switchSegment();
    }
    const failing = await waitUntil("archiving fails", async () => {
      const state = await archiving();
      return state.failingSince !== null && state;
    });
    expect(failing).toMatchObject({ archivedAt: healthy.archivedAt, waitingSegments: 4 });

    await rename(`${archive}-away`, archive);
    await commit();
    await switchSegment();
    const again = await waitUntil("archiving works", async () => {
      const state = await archiving();
      return state.failingSince === null && state.waitingSegments === 0 && state;
    });
    expect(again.archivedAt?.getTime()).toBeGreaterThan(healthy.archivedAt?.getTime() ?? 0);
  });
});
