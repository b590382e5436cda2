import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { proveLedger } from "@tillgate/database";
import { startEmbeddedServer } from "@tillgate/database/embedded";
import { getEmbeddedDataDirectory, withStackErrors } from "../databases.js";
import { lockDataDirectory } from "../lock.js";
import { loadSecrets } from "../secrets.js";
import { StackError } from "../stack-error.js";
import { buildFolder } from "./build-folder.js";
import { compareBooks, DATABASE } from "./compare-books.js";
import { copyDatabase } from "./copy-database.js";
import { readSettingsFile } from "./read-settings-file.js";
import { readUpSettings } from "./settings.js";

const USAGE = `npm run upgrade-postgresql -- <settings file> --from <checkout> --into <folder>
  Copies the database into a new data folder, on the PostgreSQL of this version, and proves the ledger before and after. npm run up must be stopped.
  The old data folder is not changed.
  --from  built checkout of the version that ran before, with its PostgreSQL
  --into  the new data folder; pass it to npm run up as TILLGATE_DATA_DIR`;

/** What is used of the old version. */
type OldVersion = Pick<typeof import("@tillgate/database/embedded"), "startEmbeddedServer"> &
  Pick<typeof import("../databases.js"), "ensureEmbeddedApiDatabase" | "migrateApiDatabase">;

/** `npm run upgrade-postgresql`. @returns the exit code. */
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
    const { dataDirectory, api } = readUpSettings(await readSettingsFile(path.resolve(file)));
    if (api !== undefined)
      throw new StackError("DATABASE_URL is set: upgrade your own PostgreSQL with pg_upgrade.");
    await upgrade({ dataDirectory, into: path.resolve(into), old: await loadVersion(path.resolve(from)) });
    console.log(`The database was copied into ${path.resolve(into)}, and its ledger is sound.
Set TILLGATE_DATA_DIR to that folder and TILLGATE_BACKUP_DIR to a new, empty one, and start npm run up.`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? `\n${error.message}\n` : error);
    return 1;
  }
}

/** The functions of another version, by the names in {@link OldVersion}: renaming one breaks upgrades from earlier versions, unnoticed by the compiler. */
async function loadVersion(checkout: string): Promise<OldVersion> {
  const files = ["packages/database/dist/embedded/server.js", "stack/dist/databases.js"];
  const modules: OldVersion[] = [];
  for (const file of files.map((name) => path.join(checkout, name))) {
    if (!existsSync(file)) throw new StackError(`${checkout} is not a built checkout: ${file} is missing.`);
    modules.push(await import(pathToFileURL(file).href));
  }
  return Object.assign({}, ...modules);
}

type UpgradeOptions = { dataDirectory: string; into: string; old: OldVersion };

/**
 * Copies the database of a data folder into a new one, on this version's PostgreSQL. Its schema stays the old version's; `npm run up` migrates it.
 * @throws StackError when the folder is in use, the new one is not empty, or a ledger is not sound. The new folder's files are then removed.
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

async function copyBetweenServers({ dataDirectory, into, old }: UpgradeOptions): Promise<void> {
  const source = await old.startEmbeddedServer({ dataDirectory: getEmbeddedDataDirectory(dataDirectory) });
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
    throw new StackError(`The ledger of the ${version} database is NOT sound: ${violations.join("; ")}`);
}
