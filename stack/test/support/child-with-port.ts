import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";

/** Returns the process ID of this process's child with the given PORT. @throws Error if there is none. */
export async function childWithPort(port: number): Promise<number> {
  const children = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/ +/).map(Number))
    .flatMap(([pid = 0, parent]) => (parent === process.pid ? [pid] : []));
  for (const pid of children) {
    const variables = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (variables.split("\0").includes(`PORT=${port}`)) return pid;
  }
  throw new Error(`No child has port ${port}.`);
}
