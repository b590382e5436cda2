import type { ChildProcess } from "node:child_process";

export type StartedProgram = { origin: string; pid: number; stop(): Promise<void> };

/** Returns the process ID. @throws Error if the program could not be started. */
export function requirePid({ pid, spawnfile }: ChildProcess): number {
  if (pid === undefined) throw new Error(`${spawnfile} could not be started.`);
  return pid;
}
