import path from "node:path";
import { SettingsError } from "@tillgate/service/settings";
import { aborted, endOnSignal } from "../ending.js";
import { StackError } from "../stack-error.js";
import { readSettingsFile } from "./read-settings-file.js";
import { readUpSettings } from "./settings.js";
import { startProduction } from "./start-production.js";

const USAGE = `npm run up -- [--check] <settings file>
  Runs Tillgate in production: the api, the payment page and the console behind HTTPS.
  --check   read the settings and say what is wrong with them, and start nothing
  The settings are in docs/settings.md; docs/production.md shows a file.`;

/**
 * `npm run up` after installing and building: runs a production system until SIGTERM, Ctrl-C or the end of a program.
 * @returns the exit code.
 */
export async function up(commandLine: readonly string[]): Promise<number> {
  const ending = endOnSignal();
  const report = (line: string): void => console.log(line);
  try {
    const words = commandLine.filter((word) => word !== "--check");
    const [file] = words;
    if (file === undefined || words.length > 1 || file.startsWith("-")) throw new StackError(USAGE);
    const written = await readSettingsFile(path.resolve(file));
    const settings = readUpSettings(written);
    if (words.length < commandLine.length) {
      report(`${file} can be used: ${settings.apiUrl}, ${settings.payUrl}, ${settings.consoleUrl}.`);
      return 0;
    }
    const environment = { ...process.env, ...written };
    const production = await startProduction({ settings, environment, report, signal: ending });
    report(`Tillgate is running.
  API       ${settings.apiUrl}
  Page      ${settings.payUrl}
  Console   ${settings.consoleUrl}
The first administrator is made by
  TILLGATE_DATA_DIR=${settings.dataDirectory} npm run admin -- administrators add you@example.com
Secrets, database and certificate are in ${settings.dataDirectory}: back it up, and show it to nobody.`);
    const failure = await Promise.race([production.failed, aborted(ending)]);
    if (failure) console.error(`\n${failure.message}\n`);
    report("Ending what runs …");
    await production.stop();
    report("All ended.");
    return failure ? 1 : 0;
  } catch (error) {
    if (ending.aborted) {
      report("Ended before all was started.");
      return 0;
    }
    console.error(
      error instanceof StackError || error instanceof SettingsError ? `\n${error.message}\n` : error,
    );
    return 1;
  }
}
