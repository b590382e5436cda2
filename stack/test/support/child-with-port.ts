import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";

/** Id of the child of this process that was given a port. */
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
