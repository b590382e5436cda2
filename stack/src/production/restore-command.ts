import path from "node:path";
import { parseArgs } from "node:util";
import { StackError } from "../stack-error.js";
import { restore } from "./backups.js";
import { readSettingsFile } from "./read-settings-file.js";
import { readUpSettings } from "./settings.js";

const USAGE = `npm run restore -- <settings file> --into <folder> [--to <time>] [--secrets <folder>]
  Restores the database into a new data folder, and proves its ledger. Nothing that runs is touched.
  --into      the new data folder; give it to npm run up as TILLGATE_DATA_DIR
  --to        the moment, such as 2026-11-24T14:05:00Z; left out: the last one that is in the backup's log
  --secrets   where secrets.json is; left out: in the data folder of the settings`;

/** What a restore means for those who were told of more than it holds: what came after a moment, or after the end of the backup's log. */
const told = (
  to: Date | undefined,
): string => `What happened after ${to?.toISOString() ?? "the last minute of the backup's log"} is not in these books, and others know of it:
  - Receivers were told of payments that are gone. Each shop compares its books (npm run compare, or the plugin's page) and shows its owner the differences.
  - Readers of GET /events throw away places of after it, and read again without "after": events keep their ids, so what was read before is known.
  - Shoppers were shown receipts. Make good what was paid: the shops' orders and the page's log have the ids.`;

/** `npm run restore`. @returns the exit code: 1 also for books that are not sound. */
export async function restoreCommand(commandLine: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...commandLine],
      options: { into: { type: "string" }, to: { type: "string" }, secrets: { type: "string" } },
      allowPositionals: true,
    });
    const [file] = positionals;
    if (file === undefined || values.into === undefined) throw new StackError(USAGE);
    const to = values.to === undefined ? undefined : new Date(values.to);
    if (to !== undefined && Number.isNaN(to.getTime()))
      throw new StackError(`--to must be a time, such as 2026-11-24T14:05:00Z; it is "${values.to}".`);
    const settings = readUpSettings(await readSettingsFile(path.resolve(file)));
    if (settings.backupFolder === undefined)
      throw new StackError("TILLGATE_BACKUP_DIR is not set: there is no backup.");
    const into = path.resolve(values.into);
    const { backup, sound, faults } = await restore({
      backupFolder: settings.backupFolder,
      into,
      to,
      secrets: values.secrets ?? settings.dataDirectory,
    });
    console.log(`Restored into ${into}, from the backup ${backup.name}.`);
    for (const fault of faults) console.log(`BROKEN  ${fault}`);
    console.log(sound ? "The ledger is sound." : "The ledger is NOT sound.");
    console.log(told(to));
    return sound ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? `\n${error.message}\n` : error);
    return 1;
  }
}
