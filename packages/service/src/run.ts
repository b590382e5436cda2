import { rename, stat } from "node:fs/promises";
import type { Logger } from "pino";
import { SettingsError } from "./settings-error.js";

/** Returns whether a process with this ID exists, even if it belongs to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Renames the log of the previous run to `<file>.previous`, unless it is missing or empty. */
export async function rotateLog(logFile: string): Promise<void> {
  const stats = await stat(logFile).catch(() => undefined);
  if (stats && stats.size > 0) await rename(logFile, `${logFile}.previous`);
}

export type Running = {
  log: Pick<Logger, "info" | "error">;
  /** Finishes accepted work. Called once. */
  stop(): Promise<void>;
  /** Time limit of `stop`. Default: none. */
  stopWithinMs?: number;
};

/**
 * Runs a service until the first SIGTERM or SIGINT. Exits with status 0 after a clean stop, otherwise with 1.
 * @param name such as "API" in "The API cannot start".
 * @param start its error is printed to standard error: one line per invalid setting, and a single line for any other error.
 */
export async function run(name: string, start: () => Promise<Running>): Promise<void> {
  const { log, stop, stopWithinMs } = await start().catch((error: unknown) =>
    exitWithStartError(name, error),
  );
  onFirstSignal((signal) => {
    log.info({ signal }, `the ${name} is stopping`);
    // Interrupted work is repeated after its lease expires.
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

export function exitWithStartError(name: string, error: unknown): never {
  const [reason = "", ...more] = errorReason(error).split("\n");
  const lines =
    more.length > 0 && error instanceof SettingsError ? ["", reason, ...more].join("\n  ") : ` ${reason}`;
  process.stderr.write(`The ${name} cannot start:${lines}\n`);
  process.exit(1);
}

/** Calls back at the first SIGTERM or SIGINT, and ignores later signals. */
export function onFirstSignal(callback: (signal: NodeJS.Signals) => void): void {
  let called = false;
  for (const name of ["SIGTERM", "SIGINT"] as const)
    process.on(name, (signal) => {
      if (called) return;
      called = true;
      callback(signal);
    });
}

/** @returns the message or, if it is empty (as for a refused connection to a host with two addresses), the code; the name if there is no code. */
export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return "code" in error ? String(error.code) : error.name;
}
