import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { proveLedger } from "@tillgate/database";
import { hasArchive, startEmbeddedServer } from "@tillgate/database/embedded";
import { getEmbeddedDataDirectory, withStackErrors } from "../databases.js";
import { lockDataDirectory } from "../lock.js";
import { loadSecrets } from "../secrets.js";
import { StackError } from "../stack-error.js";
import { buildFolder } from "./build-folder.js";
import { compareBooks, DATABASE } from "./compare-books.js";
import { copyDatabase } from "./copy-database.js";

export type OldVersion = Pick<typeof import("@tillgate/database/embedded"), "startEmbeddedServer"> &
  Pick<typeof import("../databases.js"), "ensureEmbeddedApiDatabase" | "migrateApiDatabase">;

type UpgradeOptions = {
  dataDirectory: string;
  /** The old server continues its WAL archive in this folder, so that a return to the old version leaves no gap. Undefined: backups are off. */
  backupFolder: string | undefined;
  into: string;
  old: OldVersion;
  report: (line: string) => void;
};

/**
 * Copies the database of a data folder into a new folder, which uses this version's PostgreSQL and the old version's schema.
 * @throws StackError if the folder is in use, the new folder is not empty, the backup folder is missing, the old or the copied ledger is not sound, or
 * the copied books differ. The new folder's files are then removed.
 */
export async function upgrade(options: UpgradeOptions): Promise<void> {
  const { dataDirectory } = options;
  const unlock = await lockDataDirectory(dataDirectory);
  try {
    await buildFolder(options.into, async (into) => {
      await copyFile(path.join(dataDirectory, "secrets.json"), path.join(into, "secrets.json"));
      await withStackErrors(() => copyBetweenServers({ ...options, into }));
    });
  } finally {
    await unlock();
  }
}

/**
 * Reports whether the old server continues its archive. A folder without an archive is meant for the new server.
 * @returns the backup folder if it contains the old server's archive; otherwise undefined. @throws StackError if the folder does not exist.
 */
async function findOldArchive({ backupFolder, report }: UpgradeOptions): Promise<string | undefined> {
  if (backupFolder === undefined) {
    report("The old server has no WAL archive: TILLGATE_BACKUP_DIR is not set.");
    return undefined;
  }
  if (!existsSync(backupFolder))
    throw new StackError(`TILLGATE_BACKUP_DIR: ${backupFolder} does not exist. Is its disk mounted?`);
  const isArchive = await hasArchive(backupFolder);
  report(
    isArchive
      ? `The old server continues its archive in ${backupFolder}.`
      : `The old server archives nothing: ${backupFolder} contains no archive. If it should, is its disk mounted?`,
  );
  return isArchive ? backupFolder : undefined;
}

async function copyBetweenServers(options: UpgradeOptions): Promise<void> {
  const { dataDirectory, into, old } = options;
  const source = await old.startEmbeddedServer({
    dataDirectory: getEmbeddedDataDirectory(dataDirectory),
    backupFolder: await findOldArchive(options),
  });
  try {
    const target = await startEmbeddedServer({ dataDirectory: getEmbeddedDataDirectory(into) });
    try {
      const [from, to] = [source.urlOf(DATABASE), target.urlOf(DATABASE)];
      await rejectUnsound(from, "old");
      const secrets = await loadSecrets(into);
      await old.migrateApiDatabase(await old.ensureEmbeddedApiDatabase(target.url, secrets));
      await copyDatabase(from, to);
      await rejectUnsound(to, "new");
      const differences = await compareBooks({ url: from, settledBefore: new Date() }, to);
      if (differences.length > 0) throw new StackError(differences.join("\n"));
    } finally {
      await target.stop();
    }
  } finally {
    await source.stop();
  }
}

async function rejectUnsound(url: string, version: "old" | "new"): Promise<void> {
  const { rules } = await proveLedger(url);
  const violations = rules.flatMap(({ rule, violations }) => violations.map((row) => `${rule}: ${row}`));
  if (violations.length > 0)
    throw new StackError(`The ledger of the ${version} database is not sound: ${violations.join("; ")}`);
}
