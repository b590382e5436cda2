import type { ChildProcess } from "node:child_process";

/** A server that the bench started. */
export type StartedProgram = { origin: string; pid: number; stop(): Promise<void> };

/** Returns a started program's process ID. @throws Error if the program could not be started. */
export function requirePid({ pid, spawnfile }: ChildProcess): number {
  if (pid === undefined) throw new Error(`${spawnfile} could not be started.`);
  return pid;
}
