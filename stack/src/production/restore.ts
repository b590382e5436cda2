import { copyFile } from "node:fs/promises";
import path from "node:path";
import { proveLedger } from "@tillgate/database";
import {
  type Backup,
  describeDamage,
  findUnreadSegment,
  inspectArchive,
  restoreBackup,
  startEmbeddedServer,
  waitForRecovery,
} from "@tillgate/database/embedded";
import { getEmbeddedDataDirectory, withStackErrors } from "../databases.js";
import { StackError } from "../stack-error.js";
import { buildFolder } from "./build-folder.js";
import { compareBooks, DATABASE, type RunningBooks } from "./compare-books.js";

/** PostgreSQL's log messages when the WAL ends before the target time: the time of the last transaction, and the error. */
const LAST_TRANSACTION = /last completed transaction was at log time (\S+ \S+?)\+00/;
const ENDED_EARLY = "recovery ended before configured recovery target was reached";

export type RestoreResult = {
  backup: Backup;
  /** Damaged files of newer backups, which were therefore not used. */
  skipped: string[];
  /** Commit time of the last restored transaction. */
  reachedAt: Date;
  /** Files of the archive that could not be used and whose loss the operator accepted; undefined if there are none. */
  unread: string | undefined;
  /** False if a ledger rule is violated, or the books differ from `runningBooks`. */
  isSound: boolean;
  violations: string[];
};

type RestoreOptions = {
  backupFolder: string;
  into: string;
  to: Date | undefined;
  secrets: string | undefined;
  acceptUntil?: Date | undefined;
  name?: string | undefined;
  runningBooks?: RunningBooks | undefined;
};

/**
 * Restores the database into a new data folder, and verifies its ledger.
 * @param to the point in time; undefined: the end of the archived WAL.
 * @param into a new data folder, for use as TILLGATE_DATA_DIR of `npm run up`.
 * @param secrets folder with the `secrets.json` to copy; undefined: none is copied.
 * @param acceptUntil time that a restore must reach to be accepted despite missing or damaged archive files; undefined: such a restore fails.
 * @param name name of the backup to restore; undefined: the newest intact backup.
 * @param runningBooks books that the restored books must match.
 * @throws StackError if the folder is neither new nor empty, there is no intact backup from before `to`, the WAL does not reach `to`, or files of the
 * archive are missing or damaged. Throws a system error if `secrets.json` cannot be copied. After an error, the restored files are removed. A killed
 * restore leaves only `<folder>.partial`.
 */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { backupFolder, to, name } = options;
  return withStackErrors(() =>
    buildFolder(options.into, async (into) => {
      const dataDirectory = getEmbeddedDataDirectory(into);
      const { backup, damaged } = await restoreBackup({ folder: backupFolder, dataDirectory, to, name });
      const result = await recoverAndVerify({ ...options, into, dataDirectory, backup });
      return { ...result, skipped: damaged.map(describeDamage) };
    }),
  );
}

async function recoverAndVerify(
  options: RestoreOptions & { dataDirectory: string; backup: Backup },
): Promise<Omit<RestoreResult, "skipped">> {
  const { backupFolder, into, to, secrets, acceptUntil, dataDirectory, backup, runningBooks } = options;
  if (secrets !== undefined)
    await copyFile(path.join(secrets, "secrets.json"), path.join(into, "secrets.json"));
  const archive = await inspectArchive(backupFolder, backup.firstFile);
  const damages = archive.damages.map(describeDamage);
  const server = await startEmbeddedServer({ dataDirectory }).catch((error: Error) => {
    if (to !== undefined && error.message.includes(ENDED_EARLY)) {
      const [, end] = LAST_TRANSACTION.exec(error.message) ?? [];
      const reachedAt = end === undefined ? backup.endedAt : new Date(`${end.replace(" ", "T")}Z`);
      const reason = `The archive ends at ${reachedAt.toISOString()}, before ${to.toISOString()}.`;
      throw new StackError([reason, ...damages].join("\n"), { cause: error });
    }
    if (damages.length === 0) throw error;
    throw new StackError(
      `The backup ${backup.name} needs archived files that cannot be used.\n${damages.join("\n")}\n` +
        `Copy intact files to the archive, or restore an older backup with --to and a time before ${backup.endedAt.toISOString()}.`,
      { cause: error },
    );
  });
  try {
    const recovery = await waitForRecovery(server.url);
    const reachedAt = recovery.reachedAt ?? backup.endedAt;
    if (to === undefined && damages.length === 0) {
      const unread = findUnreadSegment(recovery.position, archive.newest);
      if (unread !== undefined) damages.push(`PostgreSQL cannot read wal/${unread}.gz.`);
    }
    // If a target time was reached, the WAL up to that time is intact, even if later files are damaged.
    const unread = to === undefined && damages.length > 0 ? damages.join("\n") : undefined;
    if (unread !== undefined && !(acceptUntil !== undefined && reachedAt >= acceptUntil))
      throw new StackError(
        `The restore is incomplete: it ends at ${reachedAt.toISOString()}, because archived files cannot be used.\n${unread}\n` +
          "Copy intact files to the archive and run the command again. To accept the loss of everything after that time, add " +
          `--accept-until ${reachedAt.toISOString()}`,
      );
    const { sound: isSound, rules } = await proveLedger(server.urlOf(DATABASE));
    const violations = rules.flatMap(({ rule, violations }) => violations.map((row) => `${rule}: ${row}`));
    const differences =
      runningBooks === undefined ? [] : await compareBooks(runningBooks, server.urlOf(DATABASE));
    return {
      backup,
      reachedAt,
      unread,
      isSound: isSound && differences.length === 0,
      violations: [...violations, ...differences],
    };
  } finally {
    await server.stop();
  }
}
