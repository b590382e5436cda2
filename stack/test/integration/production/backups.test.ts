import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  deleteOldBackups,
  inspectArchive,
  listBackups,
  startEmbeddedServer,
} from "@tillgate/database/embedded";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { backUp, backUpAndVerify } from "../../../src/production/backups.js";
import { compareBooks, readRunningBooks } from "../../../src/production/compare-books.js";
import { startNightlyBackups } from "../../../src/production/nightly-backups.js";
import { restore } from "../../../src/production/restore.js";
import {
  type ArchivingSystem,
  archiveLog,
  now,
  open,
  paidOrders,
  paidOrdersInCopy,
  pay,
  startArchivingSystem,
} from "../../support/archiving-system.js";

let system: ArchivingSystem;
beforeAll(async () => {
  system = await startArchivingSystem();
}, 60_000);
afterAll(() => system.stop());

const backupNames = () => listBackups(system.settings.backupFolder);

async function execute(url: string, sql: string): Promise<void> {
  const admin = open(url);
  await admin.pool.query(sql).finally(() => admin.close());
}

it("PostgreSQL's environment contains none of Tillgate's secrets", async ({ skip }) => {
  const environ = await readFile(`/proc/${system.server.pid}/environ`, "latin1").catch(() => undefined);
  if (environ === undefined) return skip("only Linux shows the environment of a process");
  const names = environ.split("\0").flatMap((one) => one.split("=", 1)[0] || []);
  // PG_GRANDPARENT_PID and the like are PostgreSQL's own.
  expect(names.filter((name) => !/^(PG|PATH$|(DY)?LD_LIBRARY_PATH$|TMPDIR$|LC_ALL$|TZ$)/.test(name))).toEqual(
    [],
  );
});

it("a backup of a running system is restored to a later point in time with a sound ledger, but not to a time before the backup or after the end of the archive", async () => {
  const before = await pay(system);
  const { name } = await backUp(system.settings);
  expect((await stat(path.join(system.settings.backupFolder, "base", name))).mode & 0o077).toBe(0);
  const between = await pay(system);
  const moment = await now(system);
  const after = await pay(system);
  await archiveLog(system);
  // From here on only the archive is used.
  const last = await now(system);

  const into = path.join(system.folder, "restored");
  const { isSound, backup } = await restore({
    ...system.settings,
    into,
    to: moment,
    secrets: system.settings.dataDirectory,
  });
  expect([isSound, backup.name]).toEqual([true, name]);
  expect(await paidOrdersInCopy(into)).toEqual([before, between]);
  expect(await readdir(into)).toEqual(expect.arrayContaining(["secrets.json", "postgres"]));
  expect(await paidOrders(system.database)).toEqual([before, between, after]);

  await expect(restore({ ...system.settings, into, to: undefined, secrets: undefined })).rejects.toThrow(
    "is not empty",
  );
  const inUse = path.join(system.folder, "in-use");
  await mkdir(inUse);
  await writeFile(path.join(inUse, "secrets.json"), "{}");
  const late = { ...system.settings, into: inUse, to: new Date(last.getTime() + 86_400_000), secrets: inUse };
  await expect(restore(late)).rejects.toThrow("is not empty");
  expect(await readFile(path.join(inUse, "secrets.json"), "utf8")).toBe("{}");
  const early = {
    ...system.settings,
    into: path.join(system.folder, "early"),
    to: backup.startedAt,
    secrets: undefined,
  };
  await expect(restore(early)).rejects.toThrow("No intact backup in");
  const tooLate = restore({ ...late, into: path.join(system.folder, "late"), secrets: undefined });
  await expect(tooLate).rejects.toThrow(/The archive ends at 20\S+Z, before/);
}, 120_000);

it("every backup is verified, and expired and interrupted backups are removed with their WAL", async () => {
  const unfinished = path.join(system.settings.backupFolder, "base/20200101T000000Z.unfinished");
  await mkdir(unfinished);
  const verified = /was taken and restored, its ledger is sound, and its books match the running books\.$/;
  const keepTwo = { ...system.settings, backupsKept: 2 };
  expect(await backUpAndVerify(keepTwo)).toMatch(verified);
  const [first, ...unverified] = await backupNames();
  expect(unverified).toEqual([]);
  await delay(1_000);
  expect(await backUpAndVerify(keepTwo)).toMatch(verified);
  expect(await backupNames()).toEqual([first, expect.any(String)]);
  await delay(1_000);
  await backUpAndVerify({ ...system.settings, backupsKept: 1 });
  const [newest = "", ...others] = await backupNames();
  expect(others).toEqual([]);
  const { firstFile } = JSON.parse(
    await readFile(path.join(system.settings.backupFolder, "base", newest, "backup.json"), "utf8"),
  );
  const files = (await readdir(path.join(system.settings.backupFolder, "wal"))).filter((name) =>
    /^[0-9A-F]{24}\.gz$/.test(name),
  );
  expect(files.sort()[0]).toBe(`${firstFile}.gz`);
  // PostgreSQL shortens the manifest when it archives the next file.
  await pay(system);
  await archiveLog(system);
  const archive = path.join(system.settings.backupFolder, "wal");
  const listed = (await readFile(path.join(archive, "manifest"), "utf8")).trimEnd().split("\n");
  expect(listed.map((line) => line.slice(66))).toEqual(
    (await readdir(archive)).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).sort(),
  );
  expect(await inspectArchive(system.settings.backupFolder, firstFile)).toMatchObject({ damages: [] });
}, 120_000);

it("a damaged backup neither prevents a restore from an older backup nor causes the older backup to be deleted", async () => {
  const before = await backupNames();
  await delay(1_000);
  await pay(system);
  const { name } = await backUp(system.settings);
  expect(await deleteOldBackups(system.settings.backupFolder, 1)).toEqual([]);
  await rm(path.join(system.settings.backupFolder, "base", name, "backup.json"));
  await archiveLog(system);
  const into = path.join(system.folder, "from-older");
  const restored = await restore({ ...system.settings, into, to: undefined, secrets: undefined });
  expect([restored.backup.name, restored.isSound]).toEqual([before.at(-1), true]);
  expect(restored.skipped).toEqual([`base/${name}/backup.json is missing.`]);
  expect(await paidOrdersInCopy(into)).toEqual(await paidOrders(system.database));

  // The next attempt removes the backup that was never verified.
  await delay(1_000);
  await backUpAndVerify({ ...system.settings, backupsKept: 2 });
  expect(await backupNames()).toEqual([...before, expect.any(String)]);
}, 120_000);

it("a row missing from the ledger of a restored backup is reported", async () => {
  const running = await readRunningBooks(system.server.urlOf("tillgate"));
  const into = path.join(system.folder, "compared");
  await archiveLog(system);
  await restore({ ...system.settings, into, to: undefined, secrets: undefined });
  const copy = await startEmbeddedServer({ dataDirectory: path.join(into, "postgres"), fsync: false });
  try {
    expect(await compareBooks(running, copy.urlOf("tillgate"))).toEqual([]);
    await execute(
      copy.urlOf("tillgate"),
      "SET session_replication_role = replica; DELETE FROM transfers WHERE id = (SELECT transfer_id FROM orders WHERE status = 'PAID' LIMIT 1)",
    );
    expect(await compareBooks(running, copy.urlOf("tillgate"))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^The running database has \d+ \(sum 0\) transfers, but the restored one has /),
      ]),
    );
  } finally {
    await copy.stop();
  }
}, 120_000);

it("a second backup is rejected while one is in progress", async () => {
  const both = await Promise.allSettled([backUpAndVerify(system.settings), backUpAndVerify(system.settings)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: expect.stringContaining("Another backup is in progress") },
  });
}, 120_000);

it("no backup is started on a disk that is too small for it and its restored copy", async ({ skip }) => {
  const disk = path.join(system.folder, "small-disk");
  await mkdir(disk);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", disk]).status !== 0)
    return skip("only root can mount a small disk");
  try {
    await expect(backUp({ ...system.settings, backupFolder: disk })).rejects.toThrow(
      /^Not enough space in .*: a backup and its restored copy need \d\.\d GiB, but only 0\.1 GiB is free\.$/,
    );
    expect(await readdir(path.join(disk, "base"))).toEqual([]);
  } finally {
    spawnSync("umount", [disk]);
  }
});

it("a nightly backup that keeps failing is reported once and deletes no earlier backup", async () => {
  const before = await backupNames();
  const lines: string[] = [];
  let hours = 0;
  // Each check is an hour after the previous check.
  const clock = () => new Date(Date.UTC(2030, 0, 1) + 3_600_000 * hours++);
  // PostgreSQL does not listen on the ports from this base port.
  const unreachable = { ...system.settings, basePort: 1 };
  const stop = startNightlyBackups(unreachable, (line) => lines.push(line), { pollMs: 10, clock });
  await vi.waitUntil(() => hours > 48, { timeout: 30_000 });
  await stop();
  expect(lines).toEqual([expect.stringContaining("The nightly backup failed and will be retried")]);
  expect(await backupNames()).toEqual(before);
}, 60_000);

it("stopping the schedule does not wait for a nightly backup in progress, which ends when its connection closes and leaves no files", async () => {
  const before = await backupNames();
  const base = path.join(system.settings.backupFolder, "base");
  const lines: string[] = [];
  const clock = () => new Date(Date.UTC(2031, 0, 1, 3));
  const stop = startNightlyBackups(system.settings, (line) => lines.push(line), { pollMs: 10, clock });
  await vi.waitUntil(async () => (await readdir(base)).some((name) => name.endsWith(".unfinished")), {
    timeout: 20_000,
    interval: 1,
  });
  await stop();
  expect(lines).toEqual([]);
  // The backup ends when its connection closes, as when the server stops.
  const others = "pid <> pg_backend_pid() AND backend_type = 'client backend'";
  await vi.waitUntil(
    async () => {
      await execute(
        system.server.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`,
      );
      return lines.length > 0;
    },
    { timeout: 60_000 },
  );
  expect(lines).toEqual([expect.stringContaining("The nightly backup failed and will be retried")]);
  expect(await backupNames()).toEqual(before);
  expect(await readdir(base)).toEqual(before);
}, 120_000);

it("a backup with a broken ledger fails verification with an error that is recorded in the database, and thrown even if it cannot be recorded", async () => {
  const reports = async () =>
    (await system.database.pool.query("SELECT error FROM backup_reports ORDER BY finished_at")).rows;
  const query = (sql: string) => execute(system.server.urlOf("tillgate"), sql);
  await query("DELETE FROM backup_reports");
  await query(
    "SET session_replication_role = replica; UPDATE accounts SET balance = balance + 1 WHERE kind = 'merchant'",
  );
  await expect(backUpAndVerify(system.settings)).rejects.toThrow("its ledger is not sound");
  expect(await reports()).toEqual([{ error: expect.stringContaining("its ledger is not sound") }]);
  await query("DROP TABLE backup_reports");
  // If the outcome cannot be recorded, the backup's own error still comes first.
  await expect(backUpAndVerify(system.settings)).rejects.toThrow(
    /its ledger is not sound.*\nThis outcome could not be recorded in the database/s,
  );
}, 120_000);
