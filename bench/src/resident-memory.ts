import { readdir, readFile } from "node:fs/promises";

const API_PROGRAM = "apps/api/dist/main.js";

/** Finds the API's process in /proc, on Linux only. @throws Error if the process is not found. */
export async function findApiProcess(): Promise<number> {
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const [command, status] = await Promise.all([read(name, "cmdline"), read(name, "status")]);
    if (command.includes(API_PROGRAM) && status.includes(`\nPPid:\t${process.pid}\n`)) return Number(name);
  }
  throw new Error("API process not found.");
}

/** Reads a file of a process from /proc; an empty string if the process has just exited. */
const read = async (pid: string, file: string): Promise<string> =>
  readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");

export async function readResidentKilobytes(pid: number): Promise<number> {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await read(String(pid), "status")) ?? [];
  if (kilobytes === undefined) throw new Error("Cannot read the API's memory usage.");
  return Number(kilobytes);
}
