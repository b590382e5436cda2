import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { changeOwner, type ServerAccount } from "./account.js";
import { ignoreMissing } from "./missing-file.js";

/** Files that a base backup must exclude; PostgreSQL recreates them (its manual, "Making a Base Backup"). */
const EXCLUDED = new Set([
  "postmaster.pid",
  "postmaster.opts",
  "recovery.signal",
  "standby.signal",
  "backup_label.old",
]);
/** Folders that are copied without their files. */
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
const isCopied = (name: string): boolean => !EXCLUDED.has(name) && !name.startsWith("pgsql_tmp");

/** Copies a data directory, except the files that a base backup excludes. Files that disappear during the copy are skipped: the WAL covers them. */
export async function copyData(from: string, to: string, account: ServerAccount | undefined): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  await changeOwner(account, to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (!isCopied(entry.name)) continue;
    if (entry.isDirectory()) {
      if (EMPTIED.has(entry.name)) await copyFolders(source, target, account);
      else await copyData(source, target, account);
    } else if (entry.isFile()) {
      await copyFile(source, target, constants.COPYFILE_FICLONE).then(
        () => changeOwner(account, target),
        ignoreMissing,
      );
    }
  }
}

/** Returns the size of the files that {@link copyData} copies, in bytes. */
export async function measureDataSize(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? []) {
    const source = path.join(folder, entry.name);
    if (!isCopied(entry.name)) continue;
    if (entry.isDirectory()) bytes += EMPTIED.has(entry.name) ? 0 : await measureDataSize(source);
    else bytes += (await stat(source).catch(ignoreMissing))?.size ?? 0;
  }
  return bytes;
}

async function copyFolders(from: string, to: string, account: ServerAccount | undefined): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  await changeOwner(account, to);
  for (const entry of await readdir(from, { withFileTypes: true }))
    if (entry.isDirectory())
      await copyFolders(path.join(from, entry.name), path.join(to, entry.name), account);
}

export async function writeFileFor(
  account: ServerAccount | undefined,
  file: string,
  text: string,
): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await changeOwner(account, file);
}

/** Returns the sorted paths of all files below a folder, relative to it. */
export async function listFilesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

export async function syncFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    await (entry.isDirectory() ? syncFolder(file) : syncFile(file));
  }
  await syncFile(folder);
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file);
  await handle.sync().finally(() => handle.close());
}
