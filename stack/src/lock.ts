import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { isAlive } from "@tillgate/service";
import { readJsonObject, systemErrorCode } from "./private-file.js";
import { StackError } from "./stack-error.js";

/**
 * Makes sure that one stack at most works on a data directory.
 * @returns how to let go of it.
 * @throws StackError when a living process holds it.
 */
export async function lockDataDirectory(dataDirectory: string): Promise<() => Promise<void>> {
  const file = path.join(dataDirectory, "stack.lock");
  const attempts = 3;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await create(file)) return () => rm(file, { force: true });
    const holder = await runningHolder(file);
    if (holder !== undefined) {
      throw new StackError(
        `Tillgate already runs on ${dataDirectory} (process ${holder}); ` +
          "end it with Ctrl-C there, or start a second one with TILLGATE_DATA_DIR and TILLGATE_PORT.",
      );
    }
    await removeStale(file);
  }
  throw new StackError(`${file} changes all the time; another start is under way.`);
}

/** Another starter may have replaced the stale lock by its own since we read it: that one is put back. */
async function removeStale(file: string): Promise<void> {
  const removed = `${file}.${process.pid}.removed`;
  try {
    await rename(file, removed);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    throw error;
  }
  if ((await runningHolder(removed)) !== undefined) await link(removed, file);
  await rm(removed, { force: true });
}

/** Linking makes the file appear whole: a reader never finds a lock without its holder. */
async function create(file: string): Promise<boolean> {
  const unfinished = `${file}.${process.pid}.unfinished`;
  const holder = { pid: process.pid, started: await startOf(process.pid) };
  await writeFile(unfinished, JSON.stringify(holder), { mode: 0o600 });
  try {
    await link(unfinished, file);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function runningHolder(file: string): Promise<number | undefined> {
  const holder = await readJsonObject(file);
  const pid = holder?.pid;
  if (typeof pid !== "number" || !isAlive(pid)) return undefined;
  // After a restart of the machine the number may belong to any other process.
  return (await startOf(pid)) === holder?.started ? pid : undefined;
}

/** When a process began, in the kernel's words; an empty text where the system does not tell. */
async function startOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The second field is the program's name in brackets and may hold blanks; the start is field 22.
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  const bootId = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  // Z: it has ended and nobody has collected it yet.
  return status === "" || fields[0] === "Z" ? "" : `${bootId.trim()} ${fields[19] ?? ""}`;
}
