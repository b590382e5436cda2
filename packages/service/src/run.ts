import { rename, stat } from "node:fs/promises";
import type { Logger } from "pino";
import { SettingsError } from "./settings-error.js";

/** Whether a process has this number; it may be another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Sets the log of the run before aside, as `<file>.previous`. */
export async function rotateLog(logFile: string): Promise<void> {
  const found = await stat(logFile).catch(() => undefined);
  if (found && found.size > 0) await rename(logFile, `${logFile}.previous`);
}

/** A program that runs. */
export type Running = {
  log: Pick<Logger, "info" | "error">;
  /** Finishes what was accepted and closes everything. Called once. */
  stop(): Promise<void>;
  /** The longest that may take, in milliseconds. Default: `stop` limits its parts itself. */
  stopWithinMs?: number;
};

/**
 * Runs a program until the first SIGTERM or SIGINT. The process ends with 0 after a clean stop, else with 1.
 * @param name as in "The api cannot start".
 * @param start its errors are printed on standard error: settings line by line, all others in one line.
 */
export async function run(name: string, start: () => Promise<Running>): Promise<void> {
  const { log, stop, stopWithinMs } = await start().catch((error: unknown) =>
    exitWithStartError(name, error),
  );
  onceAtSignal((signal) => {
    log.info({ signal }, `the ${name} stops`);
    // Work that is cut off is found again: leases expire, and unfinished work is repeated.
    if (stopWithinMs !== undefined) setTimeout(() => process.exit(1), stopWithinMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, `the ${name} did not stop cleanly`);
        process.exit(1);
      },
    );
  });
}

/** Ends the process with 1 and says why. */
export function exitWithStartError(name: string, error: unknown): never {
  const [reason = "", ...more] = reasonOf(error).split("\n");
  const lines =
    more.length > 0 && error instanceof SettingsError ? ["", reason, ...more].join("\n  ") : ` ${reason}`;
  process.stderr.write(`The ${name} cannot start:${lines}\n`);
  process.exit(1);
}

/** Calls back at the first signal to end; later ones change nothing. */
export function onceAtSignal(callback: (signal: NodeJS.Signals) => void): void {
  let called = false;
  for (const name of ["SIGTERM", "SIGINT"] as const)
    process.on(name, (signal) => {
      if (called) return;
      called = true;
      callback(signal);
    });
}

/** Why something failed, in words. "Connection refused" by a name with two addresses has its reason in the code only. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return "code" in error ? String(error.code) : error.name;
}
