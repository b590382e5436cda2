import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { isAlive } from "@tillgate/service";
import { createDurably, getSystemErrorCode, readReplaceable } from "./private-file.js";
import { StackError } from "./stack-error.js";

/**
 * Locks a data directory, so that at most one stack uses it.
 * @param ports ports that this stack listens on, for {@link readLockedPorts}.
 * @returns a function that releases the lock.
 * @throws StackError if another running process has locked the directory, or another start keeps replacing the lock.
 */
export async function lockDataDirectory(
  dataDirectory: string,
  ports: readonly number[] = [],
): Promise<() => Promise<void>> {
  const file = lockFile(dataDirectory);
  const attempts = 3;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await create(file, ports)) return () => rm(file, { force: true });
    const holder = await findRunningHolder(file);
    if (holder !== undefined) {
      throw new StackError(
        `Tillgate is already running in ${dataDirectory} (process ${holder}). ` +
          "Stop that process, or use another folder (TILLGATE_DATA_DIR) and other ports (TILLGATE_PORT).",
      );
    }
    await removeStale(file);
  }
  throw new StackError(
    `Could not lock ${file}: another Tillgate process is starting. Try again in a moment.`,
  );
}

/** Removes a stale lock. If another process has replaced the lock since it was read, puts the new lock back. */
async function removeStale(file: string): Promise<void> {
  const removed = `${file}.${process.pid}.removed`;
  try {
    await rename(file, removed);
  } catch (error) {
    if (getSystemErrorCode(error) === "ENOENT") return;
    throw error;
  }
  if ((await findRunningHolder(removed)) !== undefined) await link(removed, file);
  await rm(removed, { force: true });
}

/** Creates a lock by linking, which is atomic: a reader never sees a lock file without its holder. */
async function create(file: string, ports: readonly number[]): Promise<boolean> {
  const temporary = `${file}.${randomUUID()}.unfinished`;
  const holder = { pid: process.pid, started: await readStartTime(process.pid), ports };
  try {
    await createDurably(temporary, holder);
    await link(temporary, file);
    return true;
  } catch (error) {
    if (getSystemErrorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

export const STACK_LOCK = "stack.lock";
const lockFile = (dataDirectory: string): string => path.join(dataDirectory, STACK_LOCK);

/**
 * Returns the ports recorded in the lock of a data directory, and whether the stack that created the lock is still running. The ports are empty
 * if the lock is missing or damaged.
 */
export async function readLockedPorts(
  dataDirectory: string,
): Promise<{ ports: number[]; isRunning: boolean }> {
  const file = lockFile(dataDirectory);
  const ports = (await readReplaceable(file))?.ports;
  const isRunning = (await findRunningHolder(file)) !== undefined;
  return { ports: Array.isArray(ports) ? ports.map(Number) : [], isRunning };
}

/** Returns the ID of the process that holds the lock; undefined if that process has ended, or the lock is missing or damaged. */
async function findRunningHolder(file: string): Promise<number | undefined> {
  const holder = await readReplaceable(file);
  const pid = holder?.pid;
  if (typeof pid !== "number" || !isAlive(pid)) return undefined;
  // After a reboot the process ID may belong to another process.
  return (await readStartTime(pid)) === holder?.started ? pid : undefined;
}

/** Returns a process's boot ID and start time from proc(5); empty if the process has ended or there is no /proc. */
async function readStartTime(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // Field 2 is the command name in parentheses and may contain spaces; field 22 is the start time.
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  const bootId = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  // Z: a zombie.
  return status === "" || fields[0] === "Z" ? "" : `${bootId.trim()} ${fields[19] ?? ""}`;
}
