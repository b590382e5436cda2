import path from "node:path";
import { SettingsError } from "@tillgate/service/settings";
import { aborted, endOnSignal } from "./ending.js";
import { readSettings } from "./settings.js";
import { StackError } from "./stack-error.js";
import { startStack } from "./start-stack.js";
import { describeStack } from "./table.js";

/**
 * `npm start` after installing and building: runs the stack until Ctrl-C, SIGTERM or the end of a service.
 * @returns the exit code.
 */
export async function main(commandLine: readonly string[]): Promise<number> {
  // The reader of our output may end before us; that must not keep us from ending cleanly.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  const ending = endOnSignal();
  try {
    const root = path.join(import.meta.dirname, "../..");
    const settings = readSettings(commandLine, process.env, root);
    const stack = await startStack({ ...settings, report: console.log, signal: ending });
    console.log(describeStack({ ...settings, sandbox: stack.sandbox }));
    const failure = await Promise.race([stack.failed, aborted(ending)]);
    if (failure) console.error(`\n${failure.message}\n`);
    console.log("Ending the services and the database …");
    await stack.stop();
    console.log("All ended.");
    return failure ? 1 : 0;
  } catch (error) {
    if (ending.aborted) {
      console.log("Ended before all was started.");
      return 0;
    }
    console.error(
      error instanceof StackError || error instanceof SettingsError ? `\n${error.message}\n` : error,
    );
    return 1;
  }
}
