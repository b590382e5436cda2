import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, openSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

export type Account = { uid: number; gid: number };

/** Returns Debian's postgres account if this process runs as root, because PostgreSQL and pgbouncer refuse to run as root. */
export function findPostgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number =>
    Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }).trim());
  return { uid: id("-u"), gid: id("-g") };
}

/** Debian installs servers in sbin, which is not on every PATH. */
const SEARCHED = `${process.env.PATH}${path.delimiter}/usr/sbin`;

export const findMissingPrograms = (names: readonly string[]): string[] =>
  names.filter(
    (name) => !SEARCHED.split(path.delimiter).some((folder) => existsSync(path.join(folder, name))),
  );

export type Program = {
  name: string;
  start(): void;
  readonly pid: number;
  /** Sends SIGKILL to the program, but not to its children. */
  kill(): void;
  /** Sends SIGTERM, then SIGKILL after 15 s. */
  stop(): Promise<void>;
};

export function createProgram(options: {
  name: string;
  command: string;
  arguments: readonly string[];
  logFile: string;
  account?: Account | undefined;
  environment?: Readonly<Record<string, string>>;
}): Program {
  const { name, command, logFile, account, environment = {} } = options;
  let child: ChildProcess | undefined;
  const isRunning = (): boolean =>
    child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    name,
    start() {
      const log = openSync(logFile, "a");
      child = spawn(command, [...options.arguments], {
        stdio: ["ignore", log, log],
        env: { PATH: SEARCHED, LC_ALL: "C.UTF-8", ...environment },
        ...account,
      });
      child.on("error", (error) => console.error(`${name}: ${error.message}`));
    },
    get pid() {
      if (!isRunning() || child?.pid === undefined) throw new Error(`${name} is not running; see ${logFile}`);
      return child.pid;
    },
    kill: () => child?.kill("SIGKILL"),
    async stop() {
      if (!isRunning() || child === undefined) return;
      const ended = new Promise((resolve) => child?.once("exit", resolve));
      child.kill("SIGTERM");
      const killTimer = setTimeout(() => child?.kill("SIGKILL"), 15_000);
      await ended;
      clearTimeout(killTimer);
    },
  };
}

export const readPostmasterPid = (dataDirectory: string): number =>
  Number(readFileSync(`${dataDirectory}/postmaster.pid`, "utf8").split("\n")[0]);

async function findProcessTree(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    // The name in parentheses may contain any character.
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (stat !== "") parents.set(Number(entry), parent);
  }
  const family = [pid];
  for (const current of family)
    for (const [child, parent] of parents) if (parent === current) family.push(child);
  return family;
}

/**
 * Signals a process and its descendants. Stops the process first; otherwise, a child that it forks in the meantime would survive.
 * @returns the process IDs.
 */
export async function signalTree(pid: number, signal: NodeJS.Signals): Promise<number[]> {
  signalAll([pid], "SIGSTOP");
  const pids = await findProcessTree(pid);
  signalAll(pids, signal);
  return pids;
}

/** Signals processes, and ignores those that have exited. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
