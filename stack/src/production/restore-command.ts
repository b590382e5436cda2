import path from "node:path";
import { parseArgs } from "node:util";
import { StackError } from "../stack-error.js";
import { readSettingsFile } from "./read-settings-file.js";
import { restore } from "./restore.js";
import { readUpSettings } from "./settings.js";

const USAGE = `npm run restore -- <settings file> --into <folder> [--to <time>] [--accept-until <time>] [--secrets <folder>]
  Restores the database into a new data folder and proves its ledger. The running system is not touched.
  --into          the new data folder; pass it to npm run up as TILLGATE_DATA_DIR
  --to            the moment to restore to, such as 2026-11-24T14:05:00Z; default: the end of the archived WAL
  --accept-until  accept missing or damaged WAL files, if the restore reaches this moment; default: they are an error
  --secrets       where secrets.json is; default: the data folder of the settings`;

/** @param end commit time of the last restored transaction. */
const describeNextSteps = (
  end: Date,
): string => `Everything after ${end.toISOString()} is missing from this database, but others have seen it:
  - Shops received webhooks about payments that are now missing. Compare each shop's orders with Tillgate (npm run compare, or the plugin's page), which shows its owner the differences.
  - Readers of GET /events must discard any position after that moment and read again without "after". Event IDs are unchanged, so events that were already processed can be recognised.
  - Shoppers have receipts. Honour these payments: their IDs are in the shops' orders and the payment page's log.`;

/** @returns the exit code: 1 after an error or if the ledger is not sound, otherwise 0. */
export async function restoreCommand(commandLine: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...commandLine],
      options: {
        into: { type: "string" },
        to: { type: "string" },
        "accept-until": { type: "string" },
        secrets: { type: "string" },
      },
      allowPositionals: true,
    });
    const [file] = positionals;
    if (file === undefined || values.into === undefined) throw new StackError(USAGE);
    const to = readMoment("--to", values.to);
    if (to !== undefined && to > new Date())
      throw new StackError(`--to is in the future: ${to.toISOString()}. To restore everything, omit --to.`);
    const acceptUntil = readMoment("--accept-until", values["accept-until"]);
    const settings = readUpSettings(await readSettingsFile(path.resolve(file)));
    if (settings.backupFolder === undefined)
      throw new StackError("TILLGATE_BACKUP_DIR is not set. Set it to the folder of the backups.");
    const into = path.resolve(values.into);
    const { backup, skipped, reachedAt, unread, isSound, violations } = await restore({
      backupFolder: settings.backupFolder,
      into,
      to,
      secrets: values.secrets ?? settings.dataDirectory,
      acceptUntil,
    });
    for (const damage of skipped)
      console.log(`DAMAGED  ${damage} Because of this, a newer backup was not used.`);
    console.log(`Restored into ${into} from backup ${backup.name}, up to ${reachedAt.toISOString()}.`);
    if (unread !== undefined)
      console.log(
        `INCOMPLETE  ${unread}\nEverything after ${reachedAt.toISOString()} is lost, as accepted with --accept-until.`,
      );
    for (const violation of violations) console.log(`BROKEN  ${violation}`);
    console.log(isSound ? "The ledger is sound." : "The ledger is NOT sound.");
    console.log(describeNextSteps(reachedAt));
    return isSound ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? `\n${error.message}\n` : error);
    return 1;
  }
}

/** @throws StackError if the text is not a time. */
function readMoment(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw new StackError(`${option} must be a time such as 2026-11-24T14:05:00Z, not "${text}".`);
  return moment;
}
