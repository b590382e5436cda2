import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  type EmbeddedServerOptions,
  findRunningServer,
  startEmbeddedServer,
} from "@tillgate/database/embedded";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

let folder: string;
/** Shared by all tests of the file: initdb takes longer than a start. */
let dataDirectory: string;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  // mkdtemp creates the folder with mode 0700, so PostgreSQL's user cannot enter it when root runs the tests.
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-server-"));
  dataDirectory = path.join(folder, "postgres");
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(options: Partial<EmbeddedServerOptions> = {}) {
  const server = await startEmbeddedServer({ dataDirectory, fsync: false, ...options });
  stops.push(() => server.stop());
  return server;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

describe("the embedded PostgreSQL", () => {
  it("keeps its data across a restart", async () => {
    const first = await start();
    await query(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    await first.stop();
    expect(await first.ended).toEqual({ code: 0, signal: null });
    const second = await start();
    expect(await query(second.url, "SELECT answer FROM kept")).toEqual([[42]]);
  });

  it("listens only on loopback, at the port that it reports", async () => {
    const { url, port } = await start();
    expect(await query(url, "SHOW listen_addresses")).toEqual([["127.0.0.1"]]);
    expect(await query(url, "SHOW port")).toEqual([[String(port)]]);
    expect(await query(url, "SHOW unix_socket_directories")).toEqual([[""]]);
  });

  it("syncs commits to disk by default", async () => {
    const { url, stop } = await startEmbeddedServer({ dataDirectory });
    stops.push(stop);
    expect(await query(url, "SHOW fsync")).toEqual([["on"]]);
    expect(await query(url, "SHOW synchronous_commit")).toEqual([["on"]]);
  });

  it("rejects a connection without the password", async () => {
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = "guess";
    await expect(query(wrong.href, "SELECT 1")).rejects.toThrow(/password authentication failed/);
    wrong.password = "";
    await expect(query(wrong.href, "SELECT 1")).rejects.toThrow();
  });

  it("stores the superuser's password in a file that only its owner can read, and sets a new one if that file is lost", async () => {
    const first = await start();
    const passwordFile = `${dataDirectory}-password`;
    expect((await stat(passwordFile)).mode & 0o777).toBe(0o600);
    await first.stop();
    await rm(passwordFile);
    const second = await start();
    expect(new URL(second.url).password).not.toBe(new URL(first.url).password);
    expect(await query(second.url, "SELECT 1")).toEqual([[1]]);
  });

  it("starts after a crash even if postmaster.pid contains the process ID of an unrelated running process", async () => {
    await (await start()).stop();
    await writeFile(
      path.join(dataDirectory, "postmaster.pid"),
      `${process.pid}\n${dataDirectory}\n0\n5432\n`,
    );
    const { url } = await start();
    expect(await query(url, "SELECT 1")).toEqual([[1]]);
  });

  it("rejects a second server on the same data", async () => {
    const { pid } = await start();
    await expect(startEmbeddedServer({ dataDirectory })).rejects.toThrow(
      `PostgreSQL (process ${pid}) is already running in ${dataDirectory}.`,
    );
  });

  it("reports PostgreSQL's own message if the port is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const bound = taken.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    const failed = startEmbeddedServer({ dataDirectory, port, fsync: false });
    await expect(failed).rejects.toThrow(
      new RegExp(`did not start on port ${port}: [^]*Address already in use`),
    );
    taken.close();
  });

  it("rejects a data folder that contains other files", async () => {
    const letters = path.join(folder, "letters");
    await mkdir(letters);
    await writeFile(path.join(letters, "letter.txt"), "dear reader");
    await expect(startEmbeddedServer({ dataDirectory: letters })).rejects.toThrow(
      /contains files but no PostgreSQL database/,
    );
  });

  it("starts from scratch after an interrupted first start", async () => {
    await (await start()).stop();
    await rename(dataDirectory, `${dataDirectory}.unfinished`);
    const { url } = await start();
    expect(await query(url, "SELECT 1")).toEqual([[1]]);
  });

  it("rejects a restart while the data disk is missing, instead of creating a new database", async () => {
    const first = await start();
    await query(first.url, "CREATE TABLE IF NOT EXISTS kept AS SELECT 42 AS answer");
    await first.stop();
    const away = `${dataDirectory}-away`;
    await rename(dataDirectory, away);
    try {
      for (const isMounted of [false, true]) {
        // An empty mount point, or none at all.
        if (isMounted) await mkdir(dataDirectory);
        await expect(start({ continues: true })).rejects.toThrow(
          `${dataDirectory} no longer contains the database. Is its disk mounted?`,
        );
      }
      expect(await readdir(dataDirectory)).toEqual([]);
    } finally {
      await rm(dataDirectory, { recursive: true });
      await rename(away, dataDirectory);
    }
    const again = await start({ continues: true });
    expect(await query(again.url, "SELECT answer FROM kept")).toEqual([[42]]);
  });

  it("does not start without the backup disk, but a restart by the supervisor continues without it", async () => {
    const disk = path.join(folder, "backup-disk");
    // As if the disk were not mounted: nothing can be created there.
    await writeFile(disk, "");
    const backupFolder = path.join(disk, "backups");
    await expect(start({ backupFolder })).rejects.toThrow("ENOTDIR");
    const { url } = await start({ backupFolder, continues: true });
    expect(await query(url, "SELECT 1")).toEqual([[1]]);
    await query(url, "CREATE TABLE IF NOT EXISTS changes (); SELECT pg_switch_wal()");
    await expect
      .poll(() => query(url, "SELECT failed_count > 0 FROM pg_stat_archiver"), { timeout: 20_000 })
      .toEqual([[true]]);
  }, 60_000);

  it("waits for a recovery that takes longer than the start timeout", async () => {
    const first = await start();
    await query(first.url, "CREATE TABLE IF NOT EXISTS kept AS SELECT 42 AS answer");
    await first.stop();
    const recovery = "restore_command = 'until test -f recovered; do sleep 0.1; done; false'\n";
    const configuration = path.join(dataDirectory, "postgresql.auto.conf");
    await appendFile(configuration, recovery);
    await copyFile(path.join(dataDirectory, "PG_VERSION"), path.join(dataDirectory, "recovery.signal"));
    const { uid, gid } = await stat(dataDirectory);
    await chown(path.join(dataDirectory, "recovery.signal"), uid, gid);
    vi.useFakeTimers({ toFake: ["Date"] });
    const starting = start();
    const recovered = path.join(dataDirectory, "recovered");
    try {
      const log = `${dataDirectory}.log`;
      const rejections = async () =>
        (await readFile(log, "utf8")).split("the database system is starting up").length - 1;
      // Each attempt takes much less than the start timeout of 60 s, because an attempt whose connection is reset does not extend it.
      for (let attempts = 0, seen = 0; attempts < 8; attempts += 1) {
        await vi.waitUntil(async () => (await rejections().catch(() => 0)) > seen, { timeout: 20_000 });
        seen = await rejections();
        vi.setSystemTime(Date.now() + 20_000);
      }
      await writeFile(recovered, "");
      expect(await query((await starting).url, "SELECT answer FROM kept")).toEqual([[42]]);
    } finally {
      vi.useRealTimers();
      // After a failure, the recovery would never end.
      await writeFile(recovered, "");
      await Promise.allSettled([starting]);
      await writeFile(configuration, "");
      await rm(recovered);
    }
  }, 60_000);

  it("stops when the process that started it is killed", async () => {
    const module = pathToFileURL(path.resolve("packages/database/dist/embedded/server.js")).href;
    const script = `import { startEmbeddedServer } from ${JSON.stringify(module)};
      await startEmbeddedServer({ dataDirectory: ${JSON.stringify(dataDirectory)}, fsync: false });
      process.stdout.write("started");
      setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ["--input-type=module", "-e", script]);
    await once(starter.stdout, "data");
    expect(await findRunningServer(dataDirectory)).toBeGreaterThan(1);
    starter.kill("SIGKILL");
    await vi.waitFor(async () => expect(await findRunningServer(dataDirectory)).toBeUndefined(), {
      timeout: 10_000,
      interval: 50,
    });
  });
});
