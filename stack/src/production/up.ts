import path from "node:path";
import { SettingsError } from "@tillgate/service/settings";
import { abortOnSignal, waitForAbort } from "../abort-on-signal.js";
import { print } from "../report.js";
import { StackError } from "../stack-error.js";
import { readSettingsFile } from "./read-settings-file.js";
import { readUpSettings } from "./settings.js";
import { startProduction } from "./start-production.js";

const USAGE = `npm run up -- [--check] <settings file>
  Runs Tillgate in production: the api, the payment page and the console behind HTTPS.
  --check   validate the settings without starting anything
  See docs/settings.md for the settings and docs/production.md for an example file.`;

/**
 * `npm run up`, after install and build: runs a production system until SIGTERM or Ctrl-C.
 * @returns the exit code.
 */
export async function up(commandLine: readonly string[]): Promise<number> {
  const signal = abortOnSignal();
  try {
    const files = commandLine.filter((argument) => argument !== "--check");
    const [file] = files;
    if (file === undefined || files.length > 1 || file.startsWith("-")) throw new StackError(USAGE);
    const fileSettings = await readSettingsFile(path.resolve(file));
    const settings = readUpSettings(fileSettings);
    if (files.length < commandLine.length) {
      print(`${file} is valid: ${settings.apiUrl}, ${settings.payUrl}, ${settings.consoleUrl}.`);
      return 0;
    }
    const environment = { ...process.env, ...fileSettings };
    const production = await startProduction({ settings, environment, report: print, signal });
    print(`Tillgate is running.
  API       ${settings.apiUrl}
  Page      ${settings.payUrl}
  Console   ${settings.consoleUrl}
Create the first administrator with
  TILLGATE_DATA_DIR=${settings.dataDirectory} npm run admin -- administrators add you@example.com
Secrets, database and certificate are in ${settings.dataDirectory}: back it up, and keep it private.`);
    await waitForAbort(signal);
    print("Stopping …");
    await production.stop();
    print("Stopped.");
    return 0;
  } catch (error) {
    if (signal.aborted) {
      print("Stopped before startup finished.");
      return 0;
    }
    console.error(
      error instanceof StackError || error instanceof SettingsError ? `\n${error.message}\n` : error,
    );
    return 1;
  }
}
