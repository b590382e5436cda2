import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { StackError } from "../stack-error.js";
import { readSettingsFile } from "./read-settings-file.js";
import { readUpSettings } from "./settings.js";
import { type OldVersion, upgrade } from "./upgrade.js";

const USAGE = `npm run upgrade-postgresql -- <settings file> --from <checkout> --into <folder>
  Copies the database into a new data folder, on the PostgreSQL of this version, and proves the ledger before and after. npm run up must be stopped.
  The old data folder is not changed.
  --from  built checkout of the version that ran before, with its PostgreSQL
  --into  the new data folder; pass it to npm run up as TILLGATE_DATA_DIR`;

export async function upgradePostgresql(commandLine: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...commandLine],
      options: { from: { type: "string" }, into: { type: "string" } },
      allowPositionals: true,
    });
    const [file] = positionals;
    const { from, into } = values;
    if (file === undefined || from === undefined || into === undefined) throw new StackError(USAGE);
    const { dataDirectory, backupFolder, api } = readUpSettings(await readSettingsFile(path.resolve(file)));
    if (api !== undefined)
      throw new StackError("DATABASE_URL is set: upgrade your own PostgreSQL with pg_upgrade.");
    const old = await loadVersion(path.resolve(from));
    await upgrade({ dataDirectory, backupFolder, into: path.resolve(into), old, report: console.log });
    console.log(`The database was copied into ${path.resolve(into)}, and its ledger is sound.
Set TILLGATE_DATA_DIR to that folder and TILLGATE_BACKUP_DIR to a new, empty folder, then run npm run up.`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? `\n${error.message}\n` : error);
    return 1;
  }
}

/**
 * Loads the functions named in {@link OldVersion} from another version. Renaming one breaks upgrades from earlier versions, and the compiler does not
 * notice.
 * @throws StackError if the checkout is not built.
 */
async function loadVersion(checkout: string): Promise<OldVersion> {
  const files = ["packages/database/dist/embedded/server.js", "stack/dist/databases.js"];
  const modules: OldVersion[] = [];
  for (const file of files.map((name) => path.join(checkout, name))) {
    if (!existsSync(file)) throw new StackError(`${checkout} is not a built checkout: ${file} is missing.`);
    modules.push(await import(pathToFileURL(file).href));
  }
  return Object.assign({}, ...modules);
}
