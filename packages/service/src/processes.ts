import { rename, stat } from "node:fs/promises";

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
export async function keepPreviousLog(logFile: string): Promise<void> {
  const found = await stat(logFile).catch(() => undefined);
  if (found && found.size > 0) await rename(logFile, `${logFile}.previous`);
}
