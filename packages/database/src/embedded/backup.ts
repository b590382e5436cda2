import { constants } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withConnection } from "@tillgate/migrate";
import { oneRowOf } from "@tillgate/service";
import { z } from "zod";
import { chooseAccount, chownTo, type ServerAccount } from "./account.js";
import { isTraversable } from "./binaries.js";
import { EmbeddedServerError } from "./errors.js";

/** Files that a base backup must exclude; PostgreSQL recreates them (its manual, "Making a Base Backup"). */
const LEFT_OUT = new Set([
  "postmaster.pid",
  "postmaster.opts",
  "recovery.signal",
  "standby.signal",
  "backup_label.old",
]);
const EMPTIED = new Set([
  "pg_wal",
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const WAL_FILE = /^[0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?(\.gz)?$/;
/** A whole segment of the log. */
const WAL_SEGMENT = /^([0-9A-F]{24})(\.gz)?$/;
/** PostgreSQL's default: the name of a segment counts in units of it. */
const WAL_SEGMENT_BYTES = 16n * 1024n * 1024n;
const WAL_SEGMENTS_PER_ID = 0x1_0000_0000n / WAL_SEGMENT_BYTES;
const START_FILE = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)$/m;
/** How long the end of the copied log may take to be in the archive, in milliseconds. */
const ARCHIVED_LIMIT_MS = 120_000;
const RECOVERY_POLL_MS = 100;
const RECOVERY_LIMIT_MS = 3_600_000;

const takenSchema = z.object({
  startedAt: z.coerce.date(),
  /** It can be restored to any later time in the archive. */
  endedAt: z.coerce.date(),
  /** First archived WAL file it needs. */
  firstFile: z.string(),
});
export type Backup = z.output<typeof takenSchema> & { name: string };

/** Subfolders of a backup folder: base backups and archived WAL. */
const baseOf = (folder: string): string => path.join(folder, "base");
export const archiveOf = (folder: string): string => path.join(folder, "wal");

/** Creates the folder, writable for the server's account. @param dataDirectory of the server. */
export async function prepareBackupFolder(folder: string, dataDirectory: string): Promise<void> {
  const account = await chooseAccount(dataDirectory);
  for (const one of [folder, baseOf(folder), archiveOf(folder)]) {
    await mkdir(one, { recursive: true, mode: 0o700 });
    await chownTo(account, one);
  }
  if (account && !(await isTraversable(path.dirname(folder))))
    throw new EmbeddedServerError(
      `PostgreSQL runs under another account than root and cannot reach ${folder}: choose a folder below one that all may enter.`,
    );
}

/**
 * Settings of a server that keeps its log in the archive. A file appears there whole, or not at all, and packed: one a minute has 16 MB,
 * which are mostly empty. Versions before this one did not pack them.
 */
export const archiveSettings = (folder: string): Record<string, string> => {
  const to = `${archiveOf(folder)}/%f`;
  return {
    archive_mode: "on",
    // An existing different file belongs to another database: archiving fails.
    archive_command: [
      `if test -f "${to}"; then cmp -s "%p" "${to}"`,
      `elif test -f "${to}.gz"; then gzip -dc "${to}.gz" | cmp -s "%p" -`,
      // Synced before PostgreSQL is told, since it may then remove its own copy.
      `else gzip -c "%p" > "${to}.part" && sync "${to}.part" && mv "${to}.part" "${to}.gz" && sync "${archiveOf(folder)}"; fi`,
    ].join("; "),
    archive_timeout: "60s",
    wal_level: "replica",
  };
};

/** The finished backups of a folder, oldest first. */
export async function listBackups(folder: string): Promise<Backup[]> {
  const names = await readdir(baseOf(folder)).catch(() => []);
  const taken = await Promise.all(
    names
      .filter((name) => !name.endsWith(".unfinished"))
      .map(async (name) => {
        const text = await readFile(path.join(baseOf(folder), name, "backup.json"), "utf8");
        return { name, ...takenSchema.parse(JSON.parse(text)) };
      }),
  );
  return taken.sort((one, other) => one.endedAt.getTime() - other.endedAt.getTime());
}

/**
 * Copies the data of a running server, which goes on working. Its log must be kept in the same folder ({@link archiveSettings}).
 * @param url of the server, as its superuser.
 * @throws the error of the database or of the disk; nothing unfinished counts as a backup.
 */
export async function takeBackup(options: {
  url: string;
  dataDirectory: string;
  folder: string;
}): Promise<Backup> {
  const { url, dataDirectory, folder } = options;
  const account = await chooseAccount(dataDirectory);
  return await withConnection({ connectionString: url }, async (client) => {
    const startedAt = new Date();
    const name = startedAt.toISOString().replace(/[-:]|\.\d+/g, "");
    const unfinished = path.join(baseOf(folder), `${name}.unfinished`);
    // The session must stay: the server forgets a backup whose session is gone.
    await client.query("SELECT pg_backup_start($1, true)", [name]);
    await client.query(`SET statement_timeout = ${ARCHIVED_LIMIT_MS}`);
    await copyData(dataDirectory, path.join(unfinished, "data"), account);
    const { label, endedAt } = await oneRowOf(
      client,
      z.object({ label: z.string(), endedAt: z.date() }),
      // A `Date` has whole milliseconds: the next one, so that it is not before the end.
      `SELECT labelfile AS label, date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' AS "endedAt"
         FROM pg_backup_stop(true)`,
    );
    await writeFor(account, path.join(unfinished, "data/backup_label"), label);
    // A backup contains everything the superuser can read, including this.
    await copyFile(`${dataDirectory}-password`, path.join(unfinished, "password"));
    const taken = { startedAt, endedAt, firstFile: START_FILE.exec(label)?.[1] ?? "" };
    await writeFor(account, path.join(unfinished, "backup.json"), JSON.stringify(taken));
    await rename(unfinished, path.join(baseOf(folder), name));
    return { name, ...taken };
  });
}

/** Deletes all but the newest `keep` backups, and the WAL that only they need. @returns the deleted names. */
export async function deleteOldBackups(folder: string, keep: number): Promise<string[]> {
  const taken = await listBackups(folder);
  const old = taken.slice(0, Math.max(0, taken.length - keep));
  for (const { name } of old) await rm(path.join(baseOf(folder), name), { recursive: true });
  const [oldest] = taken.slice(old.length);
  if (oldest)
    for (const file of await readdir(archiveOf(folder)))
      if (WAL_FILE.test(file) && file < oldest.firstFile) await rm(path.join(archiveOf(folder), file));
  return old.map(({ name }) => name);
}

/**
 * Restores a backup into a new data directory. A server started there replays the archived WAL.
 * @param to target time; default: the end of the WAL.
 * @returns the base backup used.
 * @throws EmbeddedServerError when no backup ended before that moment, or the directory is there.
 */
export async function restoreBackup(options: {
  folder: string;
  dataDirectory: string;
  to: Date | undefined;
}): Promise<Backup> {
  const { folder, dataDirectory, to } = options;
  const found = (await readdir(dataDirectory).catch(() => [])).length > 0;
  if (found) throw new EmbeddedServerError(`${dataDirectory} already exists. Restore into a new folder.`);
  const backup = (await listBackups(folder)).findLast(({ endedAt }) => to === undefined || endedAt <= to);
  if (!backup)
    throw new EmbeddedServerError(
      to === undefined
        ? `${folder} holds no backup.`
        : `No backup of ${folder} ended before ${to.toISOString()}.`,
    );
  const account = await chooseAccount(path.join(baseOf(folder), backup.name, "data"));
  await mkdir(path.dirname(dataDirectory), { recursive: true, mode: 0o700 });
  await copyData(path.join(baseOf(folder), backup.name, "data"), dataDirectory, account);
  await copyFile(path.join(baseOf(folder), backup.name, "password"), `${dataDirectory}-password`);
  const from = `${archiveOf(folder)}/%f`;
  const settings = {
    restore_command: `if test -f "${from}.gz"; then gzip -dc "${from}.gz" > "%p"; else cp "${from}" "%p"; fi`,
    recovery_target_action: "promote",
    // Read before time zone names are available.
    ...(to && { recovery_target_time: to.toISOString().replace("Z", "+00") }),
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  await writeFor(account, path.join(dataDirectory, "postgresql.auto.conf"), lines.join(""));
  await writeFor(account, path.join(dataDirectory, "recovery.signal"), "");
  return backup;
}

/** The newest WAL segment of the archive's newest timeline, if any. */
export async function newestSegment(folder: string): Promise<string | undefined> {
  const names = await readdir(archiveOf(folder));
  return names
    .flatMap((name) => WAL_SEGMENT.exec(name)?.[1] ?? [])
    .sort()
    .at(-1);
}

/** Byte position at which a segment of the log begins. */
function startOfSegment(name: string): bigint {
  return (
    (BigInt(`0x${name.slice(8, 16)}`) * WAL_SEGMENTS_PER_ID + BigInt(`0x${name.slice(16)}`)) *
    WAL_SEGMENT_BYTES
  );
}

/** The segment of a timeline that holds a byte position. */
function segmentAt(position: bigint, timeline: string): string {
  const number = position / WAL_SEGMENT_BYTES;
  const parts = [number / WAL_SEGMENTS_PER_ID, number % WAL_SEGMENTS_PER_ID];
  return timeline + parts.map((part) => part.toString(16).toUpperCase().padStart(8, "0")).join("");
}

/** The result of a recovery. */
export type Recovery = {
  /** Time of the last transaction that was replayed; undefined: the log held none after the backup. */
  reachedAt: Date | undefined;
  /** Byte position behind the last log record that was replayed. */
  position: bigint;
};

/**
 * Finds the segment at which a recovery to the end of the log stopped early. PostgreSQL takes a segment that it cannot
 * read for the end of the log and reports success, so what the archive holds beyond it has to be compared.
 * @param newest the archive's newest segment, listed before the recovery began
 * @returns the segment and why it was not read; undefined: the log was read to its end.
 */
export async function findUnreadableSegment(
  folder: string,
  newest: string,
  { position }: Recovery,
): Promise<{ segment: string; cause: "missing" | "damaged" } | undefined> {
  if (position > startOfSegment(newest)) return undefined;
  const segment = segmentAt(position, newest.slice(0, 8));
  const names = await readdir(archiveOf(folder));
  const exists = names.some((name) => WAL_SEGMENT.exec(name)?.[1] === segment);
  return { segment, cause: exists ? "damaged" : "missing" };
}

/**
 * Waits until a restored server has replayed its log and accepts writes. @param url as its superuser.
 * @throws EmbeddedServerError when that takes more than an hour.
 */
export async function waitForRecovery(url: string): Promise<Recovery> {
  return await withConnection({ connectionString: url }, async (client) => {
    for (let waited = 0; waited < RECOVERY_LIMIT_MS; waited += RECOVERY_POLL_MS) {
      const { goesOn } = await oneRowOf(
        client,
        z.object({ goesOn: z.boolean() }),
        'SELECT pg_is_in_recovery() AS "goesOn"',
      );
      if (!goesOn) {
        // The next start must not restore from the archive again.
        for (const name of ["restore_command", "recovery_target_time", "recovery_target_action"])
          await client.query(`ALTER SYSTEM RESET ${name}`);
        const { reachedAt, position } = await oneRowOf(
          client,
          z.object({ reachedAt: z.date().nullable(), position: z.string() }),
          `SELECT pg_last_xact_replay_timestamp() AS "reachedAt",
                  coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::text AS position`,
        );
        return { reachedAt: reachedAt ?? undefined, position: BigInt(position) };
      }
      await delay(RECOVERY_POLL_MS);
    }
    throw new EmbeddedServerError("The server reads its log for more than an hour.");
  });
}

/** Copies a data directory. Files that vanish meanwhile are covered by the WAL. */
async function copyData(from: string, to: string, account: ServerAccount | undefined): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  await chownTo(account, to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) {
      if (EMPTIED.has(entry.name)) await emptied(source, target, account);
      else if (!entry.name.startsWith("pgsql_tmp")) await copyData(source, target, account);
    } else if (entry.isFile() && !LEFT_OUT.has(entry.name) && !entry.name.startsWith("pgsql_tmp")) {
      await copyFile(source, target, constants.COPYFILE_FICLONE).then(
        () => chownTo(account, target),
        (error: unknown) => {
          if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
        },
      );
    }
  }
}

/** Copies a folder's structure without files. */
async function emptied(from: string, to: string, account: ServerAccount | undefined): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  await chownTo(account, to);
  for (const entry of await readdir(from, { withFileTypes: true }))
    if (entry.isDirectory()) await emptied(path.join(from, entry.name), path.join(to, entry.name), account);
}

async function writeFor(account: ServerAccount | undefined, file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await chownTo(account, file);
}
