import { spawn } from "node:child_process";
import { root } from "../bootstrap/project.mjs";

/** How long a program may clean up before it is killed. */
const cleanUpLimitMs = 20_000;

/**
 * Runs a program of a suite with our screen, in a process group of its own, and leaves none of it behind.
 * @param {string} command
 * @param {readonly string[]} commandArguments
 * @param {{signal: AbortSignal, environment: NodeJS.ProcessEnv, folder?: string}} options
 * @returns {Promise<number>} its exit code; 1 when a signal ended it.
 */
export function runSuiteProgram(command, commandArguments, { signal, environment, folder = root }) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArguments, {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const endGroup = (name) => {
      try {
        process.kill(-child.pid, name);
      } catch {
        // Nothing of the group is left.
      }
    };
    let killing;
    const onAbort = () => {
      endGroup("SIGTERM");
      killing = setTimeout(() => endGroup("SIGKILL"), cleanUpLimitMs);
    };
    const finish = (code) => {
      clearTimeout(killing);
      signal.removeEventListener("abort", onAbort);
      if (child.pid !== undefined) endGroup("SIGKILL");
      resolve(code);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    child.once("error", (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      finish(1);
    });
    child.once("exit", (code) => finish(code ?? 1));
  });
}
