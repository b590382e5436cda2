import { readFile, readlink, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive } from "@tillgate/service";
import { EmbeddedServerError } from "./errors.js";

const STOP_LIMIT_MS = 30_000;
const POLL_MS = 50;

/**
 * Returns the PID of the server that runs on a data directory; undefined if there is none. After a crash, another process may have the PID in
 * postmaster.pid, so on Linux its program and, if readable, its working directory are checked.
 */
export async function findRunningServer(dataDirectory: string): Promise<number | undefined> {
  const lines = await readFile(path.join(dataDirectory, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number.parseInt(lines.split("\n")[0] ?? "", 10);
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return undefined;
  if (process.platform !== "linux") return pid;
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  if (!path.basename(command.split("\0")[0] ?? "").startsWith("postgres")) return undefined;
  const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (workingDirectory === undefined) return pid;
  return workingDirectory === (await realpath(dataDirectory)) ? pid : undefined;
}

/** Deletes a stale postmaster.pid, which blocks the start if its PID is in use again. @throws EmbeddedServerError if a server is running. */
export async function clearStaleLock(dataDirectory: string): Promise<void> {
  const pid = await findRunningServer(dataDirectory);
  if (pid !== undefined) {
    throw new EmbeddedServerError(
      `PostgreSQL (process ${pid}) is already running in ${dataDirectory}. Stop it first.`,
    );
  }
  await rm(path.join(dataDirectory, "postmaster.pid"), { force: true });
}

/**
 * Stops a server whose parent process was killed. The caller must make sure that nothing else uses the directory.
 * @returns whether a server was running.
 * @throws EmbeddedServerError if it does not stop within 30 s.
 */
export async function stopLeftoverServer(dataDirectory: string): Promise<boolean> {
  const pid = await findRunningServer(dataDirectory);
  if (pid === undefined) return false;
  process.kill(pid, "SIGINT");
  for (let waitedMs = 0; waitedMs < STOP_LIMIT_MS; waitedMs += POLL_MS) {
    // Checking only whether the PID is gone would not suffice, because an unreaped zombie keeps its PID.
    if ((await findRunningServer(dataDirectory)) !== pid) return true;
    await delay(POLL_MS);
  }
  throw new EmbeddedServerError(
    `The orphaned PostgreSQL process ${pid} in ${dataDirectory} did not stop within ${STOP_LIMIT_MS / 1_000} s. Stop it, then try again.`,
  );
}
