import path from "node:path";
import { abortOnSignal } from "../abort-on-signal.js";
import { print } from "../report.js";
import { runUntilAbort } from "../run-until-abort.js";
import { rejectUnbuilt } from "../services.js";
import { StackError } from "../stack-error.js";
import { rejectMistakes } from "./check.js";
import { readSettingsFile } from "./read-settings-file.js";
import { productionServices } from "./services.js";
import { readUpSettings } from "./settings.js";
import { projectRoot, startProduction } from "./start-production.js";

const USAGE = `npm run up -- [--check] <settings file>
  Runs Tillgate in production: the API, the payment page and the console behind HTTPS.
  --check   check settings, files, certificate, ports and addresses without starting anything
  See docs/settings.md for the settings and docs/production.md for an example file.`;

/** Runs `npm run up`; with `--check`, only checks the settings file and what it refers to. @returns the exit code. */
export async function runUp(commandLine: readonly string[]): Promise<number> {
  const signal = abortOnSignal();
  return runUntilAbort(signal, async () => {
    const files = commandLine.filter((argument) => argument !== "--check");
    const [file] = files;
    if (file === undefined || files.length > 1 || file.startsWith("-")) throw new StackError(USAGE);
    rejectUnbuilt(productionServices, projectRoot);
    const check = { root: projectRoot, file: path.resolve(file), environment: process.env };
    const isStart = files.length === commandLine.length;
    for (const warning of await rejectMistakes(check, { isStart })) print(`Warning: ${warning}`);
    const fileSettings = await readSettingsFile(check.file);
    const settings = readUpSettings(fileSettings);
    if (!isStart) {
      print(`${file} is valid: ${settings.apiUrl}, ${settings.payUrl}, ${settings.consoleUrl}.`);
      return undefined;
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
    return production;
  });
}
