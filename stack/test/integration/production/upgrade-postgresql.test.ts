import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { startEmbeddedServer } from "@tillgate/database/embedded";
import { withConnection } from "@tillgate/migrate";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as databases from "../../../src/databases.js";
import { backUp } from "../../../src/production/backups.js";
import { restore } from "../../../src/production/restore.js";
import { upgrade } from "../../../src/production/upgrade.js";
import {
  type ArchivingSystem,
  archiveLog,
  open,
  paidOrders,
  paidOrdersInCopy,
  pay,
  startArchivingSystem,
} from "../../support/archiving-system.js";

/** The old version is this version: the upgrade copies between two servers, whatever their versions are. */
const old = { startEmbeddedServer, ...databases };
/** Starts a server that fills and reuses WAL files, as the copy of a large database does. */
const startAndRecycle: typeof startEmbeddedServer = async (options) => {
  const server = await startEmbeddedServer(options);
  await withConnection({ connectionString: server.url }, async (client) => {
    for (let segments = 0; segments < 3; segments += 1)
      await client
        .query("CREATE TABLE IF NOT EXISTS changes ()")
        .then(() => client.query("SELECT pg_switch_wal()"));
    await client.query("DROP TABLE changes");
    await client.query("CHECKPOINT");
  });
  return server;
};
let system: ArchivingSystem;
beforeAll(async () => {
  system = await startArchivingSystem();
}, 60_000);
afterAll(() => system.stop());

const query = async (url: string, sql: string): Promise<Record<string, string>> =>
  withConnection({ connectionString: url }, async (client) => (await client.query(sql)).rows[0]);
const NUMBERS = `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next, (SELECT max(turn)::text FROM events) AS event,
  (SELECT max(id)::text FROM entries) AS entry`;

it("the PostgreSQL upgrade copies the database to a new server, where new events follow the old ones, and leaves no gap in the old server's archive", async () => {
  await pay(system);
  await backUp(system.settings);
  const superuser = system.server.urlOf("tillgate");
  // A new server's transaction IDs start below the current one.
  await query(
    superuser,
    "DO $$ BEGIN FOR i IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$",
  );
  await pay(system);
  const before = await query(superuser, NUMBERS);
  const paid = await paidOrders(system.database);
  await system.server.stop();
  // The archive must continue although its manifest is damaged.
  const manifest = path.join(system.settings.backupFolder, "wal/manifest");
  const listed = await readFile(manifest, "utf8");
  await writeFile(manifest, `damaged\n\n${listed}`);

  const into = path.join(system.folder, "upgraded");
  const lines: string[] = [];
  await upgrade({
    ...system.settings,
    into,
    old: { ...old, startEmbeddedServer: startAndRecycle },
    report: (line) => lines.push(line),
  });
  expect(lines).toEqual([`The old server continues its archive in ${system.settings.backupFolder}.`]);
  const continued = (await readFile(manifest, "utf8")).split("\n\n").pop() ?? "";
  expect(continued.length).toBeGreaterThan(listed.length);
  await writeFile(manifest, continued);
  const server = await startEmbeddedServer({ dataDirectory: path.join(into, "postgres") });
  const url = server.urlOf("tillgate");
  const database = open(url);
  try {
    const after = await query(url, NUMBERS);
    expect(after).toMatchObject({ event: before.event, entry: before.entry });
    expect(Number(after.next)).toBeGreaterThanOrEqual(Number(before.next));
    expect(await paidOrders(database)).toEqual(paid);
    await pay({ database });
    const next = await query(url, NUMBERS);
    expect(Number(next.event)).toBeGreaterThan(Number(before.event));
    expect(Number(next.entry)).toBeGreaterThan(Number(before.entry));
    expect(await query(url, "SELECT count(*)::text AS extensions FROM pg_extension")).toEqual({
      extensions: "1",
    });
  } finally {
    await database.close();
    await server.stop();
  }

  // A return to the old version leaves no gap in its archive.
  const again = await startEmbeddedServer({
    dataDirectory: path.join(system.settings.dataDirectory, "postgres"),
    port: system.server.port,
    fsync: false,
    backupFolder: system.settings.backupFolder,
  });
  const returned = { ...system, server: again, database: open(again.urlOf("tillgate")) };
  try {
    paid.push(await pay(returned));
    await archiveLog(returned);
  } finally {
    await returned.database.close();
    await again.stop();
  }
  const restored = path.join(system.folder, "restored");
  await restore({ ...system.settings, into: restored, to: undefined, secrets: undefined });
  expect(await paidOrdersInCopy(restored)).toEqual(paid);
}, 180_000);

it("the PostgreSQL upgrade removes the new folder's files if the old ledger is not sound, and rejects a missing backup folder and a new folder that is not empty", async () => {
  const data = path.join(system.settings.dataDirectory, "postgres");
  const server = await startEmbeddedServer({ dataDirectory: data, fsync: false });
  await withConnection({ connectionString: server.urlOf("tillgate") }, (client) =>
    client.query(
      "SET session_replication_role = replica; UPDATE accounts SET balance = balance + 1 WHERE kind = 'merchant'",
    ),
  );
  await server.stop();
  const into = path.join(system.folder, "unsound");
  const lines: string[] = [];
  const options = { ...system.settings, into, old, report: (line: string) => lines.push(line) };
  await expect(upgrade(options)).rejects.toThrow("The ledger of the old database is not sound");
  const backupFolder = path.join(system.folder, "unmounted");
  await expect(upgrade({ ...options, backupFolder })).rejects.toThrow(
    `${backupFolder} does not exist. Is its disk mounted?`,
  );
  lines.length = 0;
  await mkdir(backupFolder);
  await expect(upgrade({ ...options, backupFolder })).rejects.toThrow("not sound");
  await expect(upgrade({ ...options, backupFolder: undefined })).rejects.toThrow("not sound");
  expect(lines).toEqual([
    expect.stringContaining(`${backupFolder} contains no archive`),
    expect.stringContaining("TILLGATE_BACKUP_DIR is not set"),
  ]);
  expect(await readdir(system.folder)).not.toContain(expect.stringMatching(/^unsound/));
  expect(existsSync(path.join(data, "postmaster.pid"))).toBe(false);
  await expect(upgrade({ ...options, into: system.folder })).rejects.toThrow("is not empty");
}, 120_000);
