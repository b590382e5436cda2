import { copyFile, mkdir, readdir, readFile, rename, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { withConnection } from "@tillgate/migrate";
import { queryOneRow } from "@tillgate/service";
import { z } from "zod";
import { changeOwner, chooseAccount } from "./account.js";
import {
  archivePath,
  computeChecksum,
  type Damage,
  deleteSegmentsBefore,
  findDamage,
  MANIFEST,
  readManifest,
} from "./archive.js";
import { isTraversable } from "./binaries.js";
import {
  copyData,
  listFilesBelow,
  measureDataSize,
  syncFile,
  syncFolder,
  writeFileFor,
} from "./data-copy.js";
import { EmbeddedServerError } from "./errors.js";
import { ignoreMissing } from "./missing-file.js";

const START_FILE = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)$/m;
/** Time limit for ending a backup, which waits until the WAL that the backup needs is archived. */
const ARCHIVE_TIMEOUT_MS = 120_000;
const UNFINISHED = ".unfinished";
/** File that contains the time at which the backup was verified. */
const VERIFIED = "proved";
/** Free space for the WAL that is archived and replayed during a backup and its restore. */
const WAL_RESERVE_BYTES = 1024 ** 3;

const backupSchema = z.object({
  startedAt: z.coerce.date(),
  /** The backup can be restored to any later time that the archive covers. */
  endedAt: z.coerce.date(),
  /** The first WAL segment that the backup needs. */
  firstFile: z.string(),
});
export type Backup = z.output<typeof backupSchema> & { name: string };

export const basePath = (folder: string): string => path.join(folder, "base");

/** Creates the folder for the server's account. @throws EmbeddedServerError if that account cannot enter the parent folders. */
export async function prepareBackupFolder(folder: string, dataDirectory: string): Promise<void> {
  const account = await chooseAccount(dataDirectory);
  for (const one of [folder, basePath(folder), archivePath(folder)]) {
    await mkdir(one, { recursive: true, mode: 0o700 });
    await changeOwner(account, one);
  }
  if (account && !(await isTraversable(path.dirname(folder))))
    throw new EmbeddedServerError(
      `PostgreSQL cannot run as root, and the account that it runs as cannot access ${folder}. Choose a folder whose parent folders are accessible to all users.`,
    );
}

/** Lists the names of the finished backups, oldest first, including damaged backups. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = (await readdir(basePath(folder)).catch(ignoreMissing)) ?? [];
  return names.filter((name) => !name.endsWith(UNFINISHED)).sort();
}

/** Reads the description of a backup; undefined if it is missing or damaged. */
export async function readBackup(folder: string, name: string): Promise<Backup | undefined> {
  const text = await readFile(path.join(basePath(folder), name, "backup.json"), "utf8").catch(ignoreMissing);
  if (text === undefined) return undefined;
  try {
    return { name, ...backupSchema.parse(JSON.parse(text)) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** Returns when a backup was verified; undefined if it was not. */
export async function readVerificationTime(folder: string, name: string): Promise<Date | undefined> {
  const text = await readFile(path.join(basePath(folder), name, VERIFIED), "utf8").catch(ignoreMissing);
  return text === undefined ? undefined : new Date(text.trim());
}

/** Records that a backup was restored and that its ledger proof passed. */
export async function markAsVerified(folder: string, name: string): Promise<void> {
  const file = path.join(basePath(folder), name, VERIFIED);
  await writeFileFor(await chooseAccount(path.dirname(file)), file, `${new Date().toISOString()}\n`);
  await syncFile(file);
}

export async function inspectBackup(folder: string, name: string): Promise<Damage[]> {
  const backup = path.join(basePath(folder), name);
  const prefix = `base/${name}`;
  const { checksums, damages } = await readManifest(backup, prefix);
  if (damages.length > 0) return damages;
  const present = (await listFilesBelow(backup)).filter((file) => file !== MANIFEST && file !== VERIFIED);
  for (const file of new Set([...checksums.keys(), ...present])) {
    const damage = await findDamage(backup, file, { checksum: checksums.get(file), prefix });
    if (damage) damages.push(damage);
  }
  return damages;
}

/** @throws EmbeddedServerError if the disk has no space for a backup and its restored copy. */
async function requireFreeSpace(folder: string, dataDirectory: string): Promise<void> {
  const requiredBytes = 2 * (await measureDataSize(dataDirectory)) + WAL_RESERVE_BYTES;
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < requiredBytes)
    throw new EmbeddedServerError(
      `Not enough space in ${folder}: a backup and its restored copy need ${toGigabytes(requiredBytes)}, but only ${toGigabytes(free)} is free.`,
    );
}

const toGigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;

/**
 * Backs up a running server that archives its WAL in the same folder. Deletes unfinished backups first, so no other backup may be running.
 * @param options.url URL of the superuser.
 * @throws EmbeddedServerError if there is too little space; otherwise, the error of the database or of the disk.
 */
export async function takeBackup(options: {
  url: string;
  dataDirectory: string;
  folder: string;
}): Promise<Backup> {
  const { url, dataDirectory, folder } = options;
  const account = await chooseAccount(dataDirectory);
  await mkdir(basePath(folder), { recursive: true, mode: 0o700 });
  for (const name of await readdir(basePath(folder)))
    if (name.endsWith(UNFINISHED)) await rm(path.join(basePath(folder), name), { recursive: true });
  await requireFreeSpace(folder, dataDirectory);
  const startedAt = new Date();
  const name = startedAt.toISOString().replace(/[-:]|\.\d+/g, "");
  const unfinished = path.join(basePath(folder), `${name}${UNFINISHED}`);
  try {
    const backup = await withConnection({ connectionString: url }, async (client) => {
      // The session must stay open, because the server cancels a backup when its session ends.
      await client.query("SELECT pg_backup_start($1, true)", [name]);
      await client.query(`SET statement_timeout = ${ARCHIVE_TIMEOUT_MS}`);
      await copyData(dataDirectory, path.join(unfinished, "data"), account);
      const { label, endedAt } = await queryOneRow(
        client,
        z.object({ label: z.string(), endedAt: z.date() }),
        // A `Date` has whole milliseconds, so this rounds up: the time must not be before the end of the backup.
        `SELECT labelfile AS label, date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' AS "endedAt"
           FROM pg_backup_stop(true)`,
      );
      await writeFileFor(account, path.join(unfinished, "data/backup_label"), label);
      return { startedAt, endedAt, firstFile: START_FILE.exec(label)?.[1] ?? "" };
    });
    // The password is no more sensitive than the rest of the backup, which contains everything that the superuser can read.
    await copyFile(`${dataDirectory}-password`, path.join(unfinished, "password"));
    await writeFileFor(account, path.join(unfinished, "backup.json"), JSON.stringify(backup));
    const lines: string[] = [];
    for (const file of await listFilesBelow(unfinished))
      lines.push(`${await computeChecksum(path.join(unfinished, file))}  ${file}\n`);
    await writeFileFor(account, path.join(unfinished, MANIFEST), lines.join(""));
    await syncFolder(unfinished);
    await rename(unfinished, path.join(basePath(folder), name));
    await syncFile(basePath(folder));
    return { name, ...backup };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Deletes backups, and the WAL that no remaining backup needs. No WAL is deleted if no backup remains, or if the description of a remaining backup
 * is unreadable.
 */
export async function deleteBackups(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(path.join(basePath(folder), name), { recursive: true });
  const firstFiles: string[] = [];
  for (const name of await listBackups(folder)) {
    const backup = await readBackup(folder, name);
    // The WAL that this backup needs is unknown, so no WAL is deleted.
    if (!backup) return;
    firstFiles.push(backup.firstFile);
  }
  const [first] = firstFiles.sort();
  if (first !== undefined) await deleteSegmentsBefore(folder, first);
}

/** Deletes the backups older than the newest verified backup, except the newest `keep` verified backups. @returns the deleted names. */
export async function deleteOldBackups(folder: string, keep: number): Promise<string[]> {
  const names = await listBackups(folder);
  const verified: string[] = [];
  for (const name of names) if ((await readVerificationTime(folder, name)) !== undefined) verified.push(name);
  const newest = verified.at(-1);
  if (newest === undefined) return [];
  const retained = new Set(verified.slice(-keep));
  const old = names.filter((name) => name < newest && !retained.has(name));
  await deleteBackups(folder, old);
  return old;
}
