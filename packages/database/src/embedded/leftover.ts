import { readFile, readlink, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive } from "@tillgate/service";
import { EmbeddedServerError } from "./errors.js";

const STOP_LIMIT_MS = 30_000;
const POLL_MS = 50;

/**
 * The process that serves a data directory right now, or undefined.
 *
 * postmaster.pid alone proves nothing: after a crash or a restart of the machine its number may belong to any
 * other process. So the process must live, be a PostgreSQL, and (where /proc tells) work in this directory.
 */
export async function runningServer(dataDirectory: string): Promise<number | undefined> {
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

/**
 * Removes a stale postmaster.pid. PostgreSQL itself trusts any living process of its own account with that
 * number and would refuse to start.
 * @throws EmbeddedServerError when a server really runs there.
 */
export async function clearStaleLock(dataDirectory: string): Promise<void> {
  const pid = await runningServer(dataDirectory);
  if (pid !== undefined) {
    throw new EmbeddedServerError(`A PostgreSQL (process ${pid}) already serves ${dataDirectory}.`);
  }
  await rm(path.join(dataDirectory, "postmaster.pid"), { force: true });
}

/**
 * Ends a server whose starter was killed and could not stop it. Returns true when there was one.
 * Only for a caller that knows that nobody else uses the directory.
 * @throws EmbeddedServerError when it has not ended within 30 s.
 */
export async function stopLeftoverServer(dataDirectory: string): Promise<boolean> {
  const pid = await runningServer(dataDirectory);
  if (pid === undefined) return false;
  process.kill(pid, "SIGINT");
  for (let waitedMs = 0; waitedMs < STOP_LIMIT_MS; waitedMs += POLL_MS) {
    // Not "is the process gone": where nobody collects it, an ended process keeps its number for good.
    if ((await runningServer(dataDirectory)) !== pid) return true;
    await delay(POLL_MS);
  }
  throw new EmbeddedServerError(`The PostgreSQL (process ${pid}) left in ${dataDirectory} does not end.`);
}
