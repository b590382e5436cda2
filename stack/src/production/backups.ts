import { randomUUID } from "node:crypto";
import { copyFile, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { proveLedger } from "@tillgate/database";
import {
  addressOfServer,
  type Backup,
  deleteOldBackups,
  findUnreadableSegment,
  listBackups,
  newestSegment,
  restoreBackup,
  startEmbeddedServer,
  takeBackup,
  waitForRecovery,
} from "@tillgate/database/embedded";
import { withConnection } from "@tillgate/migrate";
import { startLoop } from "@tillgate/service";
import { embeddedDataDirectory, withStackErrors } from "../databases.js";
import { systemErrorCode } from "../private-file.js";
import { StackError } from "../stack-error.js";
import { portsOf } from "./services.js";
import type { UpSettings } from "./settings.js";

const REPORT = "INSERT INTO backup_reports (id, error) VALUES ($1, $2)";

/**
 * Records a backup's outcome in the database, for the console's health page and the metrics.
 * @param url the api's database, as a role that can write to it.
 * @param error why the backup failed; null: taken, restored and proved.
 */
async function reportBackup(url: string, error: string | null): Promise<void> {
  return await withConnection({ connectionString: url }, async (client) => {
    await client.query(REPORT, [randomUUID(), error]);
  });
}

/** The api's database on the embedded server. */
const DATABASE = "tillgate";
/** How often the schedule is checked, in milliseconds. */
const POLL_MS = 600_000;
/** Backups run in these hours (UTC); the first one immediately. */
const NIGHT = { from: 2, until: 5, minIntervalMs: 20 * 3_600_000 };

type Report = (line: string) => void;
type BackupSettings = Pick<UpSettings, "dataDirectory" | "basePort" | "backupsKept"> & {
  backupFolder: string;
};

/** Result of a restore. */
export type RestoreResult = {
  backup: Backup;
  /** Commit time of the last restored transaction. */
  reachedAt: Date;
  /** WAL after {@link reachedAt} that could not be read and whose loss the operator accepted; undefined: none. */
  unread: string | undefined;
  isSound: boolean;
  violations: string[];
};

/** Takes a backup of the running system. @throws StackError when none is running. */
export async function backUp({ dataDirectory, basePort, backupFolder }: BackupSettings): Promise<Backup> {
  const postgres = embeddedDataDirectory(dataDirectory);
  return withStackErrors(async () => {
    const url = await addressOfServer(postgres, portsOf({ basePort }).postgresql);
    return takeBackup({ url, dataDirectory: postgres, folder: backupFolder });
  });
}

/**
 * Restores the database into a new data folder, as of a point in time, and proves its ledger.
 * @param to undefined: the end of the archived WAL.
 * @param into a new data folder, for use as TILLGATE_DATA_DIR of `npm run up`.
 * @param secrets folder with the `secrets.json` to copy; undefined: none is copied.
 * @param acceptUntil accepts a restore that ends at a gap in the WAL, if it reaches this time; undefined: a gap is an error.
 * @throws StackError when the folder is not empty, there is no backup from before that time, the WAL does not reach it, or WAL after the end of the
 * restore was not read. The restored files are then removed.
 */
export async function restore(options: {
  backupFolder: string;
  into: string;
  to: Date | undefined;
  secrets: string | undefined;
  acceptUntil?: Date | undefined;
}): Promise<RestoreResult> {
  const { into } = options;
  const dataDirectory = embeddedDataDirectory(into);
  return withStackErrors(async () => {
    // A failed restore removes what it wrote: nothing of it may have been there before, least of all the only secrets.json.
    if ((await readdir(into).catch(ignoreMissing)).length > 0)
      throw new StackError(`${into} is not empty. Restore into a new folder.`);
    const newest = await newestSegment(options.backupFolder);
    const backup = await restoreBackup({ folder: options.backupFolder, dataDirectory, to: options.to });
    try {
      return await recoverAndProve({ ...options, dataDirectory, backup, newest });
    } catch (error) {
      // An incomplete restore must not be started by mistake.
      for (const file of [dataDirectory, `${dataDirectory}-password`, path.join(into, "secrets.json")])
        await rm(file, { recursive: true, force: true });
      throw error;
    }
  });
}

function ignoreMissing(error: unknown): string[] {
  if (systemErrorCode(error) === "ENOENT") return [];
  throw error;
}

async function recoverAndProve(options: {
  backupFolder: string;
  into: string;
  to: Date | undefined;
  secrets: string | undefined;
  acceptUntil?: Date | undefined;
  dataDirectory: string;
  backup: Backup;
  newest: string | undefined;
}): Promise<RestoreResult> {
  const { backupFolder, into, to, secrets, acceptUntil, dataDirectory, backup, newest } = options;
  if (secrets !== undefined)
    await copyFile(path.join(secrets, "secrets.json"), path.join(into, "secrets.json"));
  const server = await startEmbeddedServer({ dataDirectory });
  try {
    const recovery = await waitForRecovery(server.url);
    const reachedAt = recovery.reachedAt ?? backup.endedAt;
    // With a target time PostgreSQL itself fails when the WAL ends before it.
    const gap =
      to === undefined && newest !== undefined
        ? await findUnreadableSegment(backupFolder, newest, recovery)
        : undefined;
    const unread = gap && `Log file ${gap.segment} is ${gap.cause}, but the archive continues to ${newest}.`;
    if (unread !== undefined && !(acceptUntil !== undefined && reachedAt >= acceptUntil))
      throw new StackError(
        `The restore is incomplete: it ends at ${reachedAt.toISOString()}, and the log after that was not read. ${unread}\n` +
          "Restore that file and run the command again. To accept the loss of everything after that moment, add " +
          `--accept-until ${reachedAt.toISOString()}`,
      );
    const { sound: isSound, rules } = await proveLedger(server.urlOf(DATABASE));
    return {
      backup,
      reachedAt,
      unread,
      isSound,
      violations: rules.flatMap(({ rule, violations }) => violations.map((row) => `${rule}: ${row}`)),
    };
  } finally {
    await server.stop();
  }
}

/**
 * Takes and verifies a backup every night, then deletes expired ones.
 * @returns stops it.
 */
export function startNightlyBackups(settings: BackupSettings, report: Report): () => Promise<void> {
  const { backupFolder, backupsKept } = settings;
  const nightly = startLoop({
    name: "nightly backup",
    intervalMs: POLL_MS,
    log: { error: (fields, text) => report(`${text}: ${"err" in fields ? fields.err : ""}`) },
    async run() {
      const newest = (await listBackups(backupFolder)).at(-1);
      const now = new Date();
      const hour = now.getUTCHours();
      const isNight = hour >= NIGHT.from && hour < NIGHT.until;
      const isDue = newest === undefined || now.getTime() - newest.endedAt.getTime() > NIGHT.minIntervalMs;
      if (newest !== undefined && !(isNight && isDue)) return undefined;
      report(await backUpAndVerify(settings));
      await deleteOldBackups(backupFolder, backupsKept);
      return undefined;
    },
  });
  return () => nightly.close();
}

/**
 * Takes a backup, verifies it by restoring a copy, and records the outcome in the database.
 * @returns a summary for the operator. @throws StackError when the backup cannot be taken or restored, or its ledger is not sound.
 */
export async function backUpAndVerify(settings: BackupSettings): Promise<string> {
  const { dataDirectory, basePort } = settings;
  const server = await withStackErrors(() =>
    addressOfServer(embeddedDataDirectory(dataDirectory), portsOf({ basePort }).postgresql),
  );
  const database = new URL(server);
  database.pathname = `/${DATABASE}`;
  let summary: string;
  try {
    summary = await verifyBackup(settings);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await reportBackup(database.href, reason).catch((cause: unknown) => {
      throw new StackError(`${reason}\nThis outcome could not be recorded in the database: ${cause}`, {
        cause: error,
      });
    });
    throw error;
  }
  await reportBackup(database.href, null);
  return summary;
}

async function verifyBackup(settings: BackupSettings): Promise<string> {
  const { backupFolder } = settings;
  const { name } = await backUp(settings);
  const into = path.join(backupFolder, "check");
  await rm(into, { recursive: true, force: true });
  try {
    const { backup, isSound, violations } = await restore({
      backupFolder,
      into,
      to: undefined,
      secrets: undefined,
    });
    if (!isSound)
      throw new StackError(
        `The backup ${backup.name} was restored, and its ledger is NOT sound: ${violations.join("; ")}`,
      );
    return `The backup ${name} was taken and restored, and its ledger is sound.`;
  } finally {
    await rm(into, { recursive: true, force: true });
  }
}
