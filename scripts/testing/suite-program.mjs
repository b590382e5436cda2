import { spawn } from "node:child_process";
import { root } from "../bootstrap/project.mjs";

/** Time between SIGTERM and SIGKILL. */
const cleanUpTimeoutMs = 20_000;

/**
 * Runs a suite's program in a separate process group, and kills what is left of the group when the program ends.
 * @param {{signal: AbortSignal, environment: NodeJS.ProcessEnv, folder?: string}} options
 * @returns {Promise<number>} its exit code; 1 if it was killed or could not be started
 */
export function runSuiteProgram(command, commandArguments, { signal, environment, folder = root }) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArguments, {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const signalGroup = (name) => {
      try {
        process.kill(-child.pid, name);
      } catch {
        // The group has already exited.
      }
    };
    let killing;
    const onAbort = () => {
      signalGroup("SIGTERM");
      killing = setTimeout(() => signalGroup("SIGKILL"), cleanUpTimeoutMs);
    };
    const finish = (code) => {
      clearTimeout(killing);
      signal.removeEventListener("abort", onAbort);
      if (child.pid !== undefined) signalGroup("SIGKILL");
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
