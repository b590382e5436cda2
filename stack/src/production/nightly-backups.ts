import { listBackups, readVerificationTime } from "@tillgate/database/embedded";
import { startLoop } from "@tillgate/service";
import { type BackupSettings, backUpAndVerify } from "./backups.js";

const POLL_MS = 600_000;
/** UTC hours in which backups start once a verified backup exists, and the minimum time since the last verification. */
const NIGHT = { from: 2, until: 5, minIntervalMs: 20 * 3_600_000 };
/** The delay doubles with each further failure. */
const FIRST_RETRY_MS = 600_000;
const MAX_RETRY_MS = 3_600_000;

/** Failed attempts since the last verified backup. */
type Failures = { count: number; lastAt: Date };

/** @param verifiedAt time of the newest verification, if any. @param failures undefined if the last attempt succeeded or there was none. */
export function isBackupDue(
  now: Date,
  verifiedAt: Date | undefined,
  failures: Failures | undefined,
): boolean {
  if (failures) {
    const waitMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures.count - 1));
    if (now.getTime() - failures.lastAt.getTime() < waitMs) return false;
  }
  if (verifiedAt === undefined) return true;
  const hour = now.getUTCHours();
  return (
    hour >= NIGHT.from && hour < NIGHT.until && now.getTime() - verifiedAt.getTime() > NIGHT.minIntervalMs
  );
}

/**
 * Takes and verifies a backup immediately if there is no verified backup, and then every night. A failed backup is retried during the same night, or
 * at any hour if there is no verified backup yet. Of consecutive failures, only the first is reported.
 * @returns a function that stops the schedule, without waiting for a backup in progress.
 */
export function startNightlyBackups(
  settings: BackupSettings,
  report: (line: string) => void,
  { pollMs = POLL_MS, clock = () => new Date() } = {},
): () => Promise<void> {
  const { backupFolder } = settings;
  let failures: Failures | undefined;
  const nightly = startLoop({
    name: "nightly backup",
    intervalMs: pollMs,
    log: { error: (fields, text) => report(`${text}: ${"err" in fields ? fields.err : ""}`) },
    async run() {
      try {
        if (!isBackupDue(clock(), await findNewestVerificationTime(backupFolder), failures)) return undefined;
        report(await backUpAndVerify(settings));
        failures = undefined;
      } catch (error) {
        const reason = error instanceof Error ? error.message : error;
        if (failures === undefined) report(`The nightly backup failed and will be retried: ${reason}`);
        failures = { count: (failures?.count ?? 0) + 1, lastAt: clock() };
      }
      return undefined;
    },
  });
  // A backup in progress can take hours. It is interrupted when the database stops, and the next attempt removes its files.
  return async () => void nightly.close();
}

async function findNewestVerificationTime(folder: string): Promise<Date | undefined> {
  for (const name of (await listBackups(folder)).reverse()) {
    const verifiedAt = await readVerificationTime(folder, name);
    if (verifiedAt !== undefined) return verifiedAt;
  }
  return undefined;
}
