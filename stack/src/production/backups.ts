import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Backup,
  deleteBackups,
  deleteOldBackups,
  getServerUrl,
  isArchived,
  listBackups,
  markAsVerified,
  readVerificationTime,
  takeBackup,
} from "@tillgate/database/embedded";
import { withConnection } from "@tillgate/migrate";
import { errorReason, queryOneRow } from "@tillgate/service";
import { z } from "zod";
import { getEmbeddedDataDirectory, withStackErrors } from "../databases.js";
import { StackError } from "../stack-error.js";
import { removeLeftovers } from "./build-folder.js";
import { DATABASE, readRunningBooks } from "./compare-books.js";
import { restore } from "./restore.js";
import { getPorts } from "./services.js";
import type { UpSettings } from "./settings.js";

export type BackupSettings = Pick<UpSettings, "dataDirectory" | "basePort" | "backupsKept"> & {
  backupFolder: string;
};

const REPORT = "INSERT INTO backup_reports (id, error) VALUES ($1, $2)";
/** Takes the lock that is held while a backup is taken and verified. */
const LOCK = "SELECT pg_try_advisory_lock(hashtext('tillgate backup')) AS locked";
const SWITCH_SEGMENT = "SELECT pg_walfile_name(pg_switch_wal() - 1) AS segment";
const ARCHIVE_TIMEOUT_MS = 120_000;
const ARCHIVE_POLL_MS = 500;

/**
 * Records a backup's outcome, for the health page and the metrics.
 * @param url the API's database, with a role that can write to it.
 * @param error why the backup failed; null if it was taken and verified.
 */
export async function reportBackup(url: string, error: string | null): Promise<void> {
  return await withConnection({ connectionString: url }, async (client) => {
    await client.query(REPORT, [randomUUID(), error]);
  });
}

const findServerAddress = ({ dataDirectory, basePort }: BackupSettings): Promise<string> =>
  withStackErrors(() =>
    getServerUrl(getEmbeddedDataDirectory(dataDirectory), getPorts({ basePort }).postgresql),
  );

/** @throws StackError if no system is running, or the backup fails. */
export async function backUp(settings: BackupSettings): Promise<Backup> {
  const { dataDirectory, backupFolder } = settings;
  const url = await findServerAddress(settings);
  return withStackErrors(() =>
    takeBackup({ url, dataDirectory: getEmbeddedDataDirectory(dataDirectory), folder: backupFolder }),
  );
}

/**
 * Takes a backup, verifies it by restoring a copy, records the outcome in the database, and deletes the backups beyond `backupsKept`. First deletes
 * the backups of failed attempts.
 * @returns a summary for the operator.
 * @throws StackError if no system is running, if another backup is in progress, if the backup cannot be taken, archived or restored, or if its ledger
 * is not sound or differs from the running ledger. If the failure cannot be recorded, the message says so. Throws PostgreSQL's error if a success cannot be
 * recorded.
 */
export async function backUpAndVerify(settings: BackupSettings): Promise<string> {
  const server = await findServerAddress(settings);
  const database = new URL(server);
  database.pathname = `/${DATABASE}`;
  return await withConnection({ connectionString: server }, async (client) => {
    const { locked } = await queryOneRow(client, z.object({ locked: z.boolean() }), LOCK);
    if (!locked) throw new StackError("Another backup is in progress. Wait for it to finish.");
    let summary: string;
    try {
      await deleteUnverified(settings.backupFolder);
      summary = await takeAndVerify(settings, server, database.href);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await reportBackup(database.href, reason).catch((cause: unknown) => {
        throw new StackError(
          `${reason}\nThis outcome could not be recorded in the database: ${errorReason(cause)}`,
          { cause: error },
        );
      });
      throw error;
    }
    await reportBackup(database.href, null);
    await deleteOldBackups(settings.backupFolder, settings.backupsKept);
    return summary;
  });
}

/** Deletes the backups of failed attempts, which would otherwise fill the disk. If no backup is verified, keeps the newest one. */
async function deleteUnverified(folder: string): Promise<void> {
  const unverified: string[] = [];
  const names = await listBackups(folder);
  for (const name of names)
    if ((await readVerificationTime(folder, name)) === undefined) unverified.push(name);
  await deleteBackups(folder, unverified.length === names.length ? unverified.slice(0, -1) : unverified);
}

/** @param server superuser URL of the server. @param database superuser URL of the API's database. */
async function takeAndVerify(settings: BackupSettings, server: string, database: string): Promise<string> {
  const { backupFolder } = settings;
  const into = path.join(backupFolder, "check");
  // Removed before the backup, which needs the space.
  await removeLeftovers(into);
  const { name } = await backUp(settings);
  const runningBooks = await readRunningBooks(database);
  await archiveWal(server, backupFolder);
  try {
    const { isSound, violations } = await restore({
      backupFolder,
      into,
      to: undefined,
      secrets: undefined,
      name,
      runningBooks,
    });
    if (!isSound)
      throw new StackError(
        `The backup ${name} was restored, but its ledger is not sound or differs from the running ledger: ${violations.join("; ")}`,
      );
  } finally {
    await rm(into, { recursive: true, force: true });
  }
  await markAsVerified(backupFolder, name);
  return `The backup ${name} was taken and restored, its ledger is sound, and its books match the running books.`;
}

/** Waits until all WAL written so far is archived. @throws StackError after two minutes. */
async function archiveWal(server: string, backupFolder: string): Promise<void> {
  const { segment } = await withConnection({ connectionString: server }, (client) =>
    queryOneRow(client, z.object({ segment: z.string() }), SWITCH_SEGMENT),
  );
  const deadline = Date.now() + ARCHIVE_TIMEOUT_MS;
  while (!(await isArchived(backupFolder, segment))) {
    if (Date.now() > deadline)
      throw new StackError(
        `PostgreSQL did not archive ${segment} within ${ARCHIVE_TIMEOUT_MS / 1_000} s. See the PostgreSQL log.`,
      );
    await delay(ARCHIVE_POLL_MS);
  }
}
