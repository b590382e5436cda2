import { readFileSync } from "node:fs";
import path from "node:path";
import { SettingsError } from "@tillgate/service/settings";
import { readSettings } from "./settings.js";
import { StackError } from "./stack-error.js";
import { startStack } from "./start-stack.js";
import { describeStack } from "./table.js";

const PARENT_POLL_MS = 1_000;

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

/**
 * Ctrl-C in a terminal reaches us twice, from the terminal and through npm: the first signal counts, later ones
 * change nothing. An npm that is killed can pass on nothing, and one that is asked to end may only tell its
 * shell, so their disappearance counts too.
 */
function endOnSignal(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ending.abort());
  if (process.env.npm_lifecycle_event !== undefined) {
    const starters = parents();
    setInterval(() => {
      if (parents() !== starters) ending.abort();
    }, PARENT_POLL_MS).unref();
  }
  return ending.signal;
}

/** Our parent, and its parent where the system tells: npm may start us through a shell. */
function parents(): string {
  const parent = process.ppid;
  try {
    const status = readFileSync(`/proc/${parent}/stat`, "utf8");
    // After the program's name in brackets: state, parent …
    const [, grandparent] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return `${parent} ${grandparent}`;
  } catch {
    return String(parent);
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
