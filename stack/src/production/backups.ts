import { randomUUID } from "node:crypto";
import { copyFile, rm } from "node:fs/promises";
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
import { StackError } from "../stack-error.js";
import { portsOf } from "./services.js";
import type { UpSettings } from "./settings.js";

const REPORT = "INSERT INTO backup_reports (id, error) VALUES ($1, $2)";

/**
 * Writes into the database how its backup went: the console's health page and the metrics tell it.
 * @param url the api's database, as a role that may write there.
 * @param error why it is not good; null: it was taken, restored and proved.
 */
async function reportBackup(url: string, error: string | null): Promise<void> {
  return await withConnection({ connectionString: url }, async (client) => {
    await client.query(REPORT, [randomUUID(), error]);
  });
}

/** The api's database on the embedded server. */
const DATABASE = "tillgate";
/** How often it is looked whether it is time, in milliseconds. */
const POLL_MS = 600_000;
/** Backups are taken at night (hours of UTC), and the first one at once. */
const NIGHT = { from: 2, until: 5, apartMs: 20 * 3_600_000 };

type Report = (line: string) => void;
type BackedUp = Pick<UpSettings, "dataDirectory" | "basePort" | "backupsKept"> & { backupFolder: string };

/** What a restored database holds. */
export type Restored = {
  backup: Backup;
  /** Time of the last transaction in the restored books. */
  reachedAt: Date;
  /** Log after {@link reachedAt} that could not be read, accepted by the operator; undefined: none. */
  unread: string | undefined;
  sound: boolean;
  faults: string[];
};

/** Takes a backup of the system that runs. @throws StackError when none runs. */
export async function backUp({ dataDirectory, basePort, backupFolder }: BackedUp): Promise<Backup> {
  const postgres = embeddedDataDirectory(dataDirectory);
  return withStackErrors(async () => {
    const url = await addressOfServer(postgres, portsOf({ basePort }).postgresql);
    return takeBackup({ url, dataDirectory: postgres, folder: backupFolder });
  });
}

/**
 * Restores the database into a new data folder, as it was at a moment, and proves its ledger.
 * @param to undefined: the last moment that the archive knows.
 * @param into a data folder that is not there yet; `npm run up` can be given it then.
 * @param secrets the folder whose `secrets.json` opens what is encrypted; undefined: none is taken along.
 * @param acceptUntil accepts books that end at a gap in the log, if they reach this moment; undefined: a gap is an error.
 * @throws StackError when there is no backup of before that moment, the log does not reach it, or log after the end of the
 * restored books was not read. The data folder is then removed again.
 */
export async function restore(options: {
  backupFolder: string;
  into: string;
  to: Date | undefined;
  secrets: string | undefined;
  acceptUntil?: Date | undefined;
}): Promise<Restored> {
  const { into } = options;
  const dataDirectory = embeddedDataDirectory(into);
  return withStackErrors(async () => {
    const newest = await newestSegment(options.backupFolder);
    const backup = await restoreBackup({ folder: options.backupFolder, dataDirectory, to: options.to });
    try {
      return await recoverAndProve({ ...options, dataDirectory, backup, newest });
    } catch (error) {
      // Books that miss log must not be started by mistake.
      for (const place of [dataDirectory, `${dataDirectory}-password`, path.join(into, "secrets.json")])
        await rm(place, { recursive: true, force: true });
      throw error;
    }
  });
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
}): Promise<Restored> {
  const { backupFolder, into, to, secrets, acceptUntil, dataDirectory, backup, newest } = options;
  if (secrets !== undefined)
    await copyFile(path.join(secrets, "secrets.json"), path.join(into, "secrets.json"));
  const server = await startEmbeddedServer({ dataDirectory });
  try {
    const recovery = await waitForRecovery(server.url);
    const reachedAt = recovery.reachedAt ?? backup.endedAt;
    // PostgreSQL itself fails when the log ends before the moment that was asked for.
    const gap =
      to === undefined && newest !== undefined
        ? await findUnreadableSegment(backupFolder, newest, recovery)
        : undefined;
    const unread = gap && `Log file ${gap.segment} is ${gap.cause}; the backup's log continues to ${newest}.`;
    if (unread !== undefined && !(acceptUntil !== undefined && reachedAt >= acceptUntil))
      throw new StackError(
        `The restore is incomplete: it ends at ${reachedAt.toISOString()}, and later log was not read. ${unread}\n` +
          "Put that file back and restore again. To accept the loss of everything after that moment, add " +
          `--accept-until ${reachedAt.toISOString()}`,
      );
    const { sound, rules } = await proveLedger(server.urlOf(DATABASE));
    return {
      backup,
      reachedAt,
      unread,
      sound,
      faults: rules.flatMap(({ rule, violations }) => violations.map((row) => `${rule}: ${row}`)),
    };
  } finally {
    await server.stop();
  }
}

/**
 * Backs up every night, and shows that the backup is good: it is restored beside, its ledger proved, and the copy deleted.
 * @returns the call that ends it.
 */
export function startNightlyBackups(settings: BackedUp, report: Report): () => Promise<void> {
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
      const isDue = newest === undefined || now.getTime() - newest.endedAt.getTime() > NIGHT.apartMs;
      if (newest !== undefined && !(isNight && isDue)) return undefined;
      report(await backUpAndVerify(settings));
      await deleteOldBackups(backupFolder, backupsKept);
      return undefined;
    },
  });
  return () => nightly.close();
}

/**
 * Takes a backup, shows that it is good, and writes into the database how it went.
 * @returns what a person reads about it. @throws StackError when the backup cannot be taken or restored, or is not sound.
 */
export async function backUpAndVerify(settings: BackedUp): Promise<string> {
  const { dataDirectory, basePort } = settings;
  const server = await withStackErrors(() =>
    addressOfServer(embeddedDataDirectory(dataDirectory), portsOf({ basePort }).postgresql),
  );
  const database = new URL(server);
  database.pathname = `/${DATABASE}`;
  let said: string;
  try {
    said = await verifyBackup(settings);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    await reportBackup(database.href, why).catch((cause: unknown) => {
      throw new StackError(`${why}\nThe database could not be told: ${cause}`, { cause: error });
    });
    throw error;
  }
  await reportBackup(database.href, null);
  return said;
}

async function verifyBackup(settings: BackedUp): Promise<string> {
  const { backupFolder } = settings;
  const { name } = await backUp(settings);
  const into = path.join(backupFolder, "check");
  await rm(into, { recursive: true, force: true });
  try {
    const { backup, sound, faults } = await restore({
      backupFolder,
      into,
      to: undefined,
      secrets: undefined,
    });
    if (!sound)
      throw new StackError(
        `The backup ${backup.name} was restored, and its ledger is NOT sound: ${faults.join("; ")}`,
      );
    return `The backup ${name} was taken and restored, and its ledger is sound.`;
  } finally {
    await rm(into, { recursive: true, force: true });
  }
}
