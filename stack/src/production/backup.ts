import path from "node:path";
import { StackError } from "../stack-error.js";
import { backUpAndVerify } from "./backups.js";
import { readSettingsFile } from "./read-settings-file.js";
import { readUpSettings } from "./settings.js";

const USAGE = `npm run backup -- <settings file>
  Backs up the system that npm run up runs with this file, then verifies the backup: restores a copy,
  proves its ledger and compares its counts and sums with the running database.`;

export async function runBackup(commandLine: readonly string[]): Promise<number> {
  try {
    const [file] = commandLine;
    if (file === undefined || commandLine.length > 1) throw new StackError(USAGE);
    const settings = readUpSettings(await readSettingsFile(path.resolve(file)));
    if (settings.backupFolder === undefined)
      throw new StackError("TILLGATE_BACKUP_DIR is not set, so backups are off.");
    console.log(await backUpAndVerify({ ...settings, backupFolder: settings.backupFolder }));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? `\n${error.message}\n` : error);
    return 1;
  }
}
