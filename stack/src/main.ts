import path from "node:path";
import { abortOnSignal } from "./abort-on-signal.js";
import { print } from "./report.js";
import { runUntilAbort } from "./run-until-abort.js";
import { readSettings } from "./settings.js";
import { startStack } from "./start-stack.js";
import { describeStack } from "./table.js";

/** Runs `npm start`, after install and build. @returns the exit code. */
export async function main(commandLine: readonly string[]): Promise<number> {
  // The reader of our output may exit first (EPIPE). Shutdown must still be clean.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  const signal = abortOnSignal();
  return runUntilAbort(signal, async () => {
    const root = path.join(import.meta.dirname, "../..");
    const settings = readSettings(commandLine, process.env, root);
    const stack = await startStack({ ...settings, report: print, signal });
    console.log(describeStack({ ...settings, sandbox: stack.sandbox }));
    return stack;
  });
}
