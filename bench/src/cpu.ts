import { readdirSync, readFileSync } from "node:fs";
import type pg from "pg";
import { CALLERS } from "./load.js";

/** The kernel counts CPU time in ticks; `CLK_TCK` is 100 on every Linux that Node runs on. */
const TICK_MS = 10;

/** CPU time per call in milliseconds, of PostgreSQL and of the programs that serve the call. */
export type CpuTime = { programs: number; postgres: number };

/** The processes to measure, and a function that makes `amount` calls. `prepare` is not measured. */
export type CpuSide = {
  pids: readonly number[];
  call(amount: number): Promise<unknown>;
  prepare?(amount: number): Promise<void>;
};

type Process = { parent: number; ownMs: number; withEndedMs: number };

/** Reads a process from /proc; undefined if it has ended. */
function readProcess(pid: number): Process | undefined {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name in parentheses may contain any character. The fields after it start with the state.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const readTicksMs = (index: number): number => Number(fields[index]) * TICK_MS;
  const ownMs = readTicksMs(11) + readTicksMs(12);
  return { parent: Number(fields[1]), ownMs, withEndedMs: ownMs + readTicksMs(13) + readTicksMs(14) };
}

/** Returns the CPU time of a process in milliseconds. @throws Error if the process is not running. */
export function readCpuMs(pid: number): number {
  const running = readProcess(pid);
  if (running === undefined) throw new Error(`Process ${pid} is not running.`);
  return running.ownMs;
}

const listPids = (): number[] =>
  readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));

/** Finds the child process whose PORT matches the address. @throws Error unless there is exactly one. */
export function findListeningPid(address: string): number {
  const setting = `PORT=${new URL(address).port}`;
  const found = listPids().filter(
    (pid) =>
      readProcess(pid)?.parent === process.pid &&
      readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(setting),
  );
  const [pid] = found;
  if (pid === undefined || found.length > 1)
    throw new Error(`Expected one child process with ${setting} in its environment, found ${found.length}.`);
  return pid;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Returns the CPU milliseconds of a PostgreSQL server. The postmaster's time includes that of exited backends. */
function readServer(postmaster: number): number {
  const running = listPids().flatMap((pid) => readProcess(pid) ?? []);
  const backends = running.filter(({ parent }) => parent === postmaster).map(({ ownMs }) => ownMs);
  return sum([readProcess(postmaster)?.withEndedMs ?? 0, ...backends]);
}

async function findPostmaster(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const backend = readProcess(rows[0]?.pid ?? 0);
  if (backend === undefined) throw new Error("PostgreSQL is not running on this machine.");
  return backend.parent;
}

export const hasCpuAccounting = process.platform === "linux";

/** Measures each side's CPU milliseconds per call. The sides alternate, after the same warm-up for each. */
export async function compareCpu<Name extends string>(
  pool: pg.Pool,
  sides: Record<Name, CpuSide>,
  { calls, rounds }: { calls: number; rounds: number },
): Promise<Record<Name, CpuTime>> {
  const postmaster = await findPostmaster(pool);
  const names = Object.keys(sides).filter((name): name is Name => name in sides);
  const totals = new Map<Name, CpuTime>(names.map((name) => [name, { programs: 0, postgres: 0 }]));
  const amount = Math.max(calls, CALLERS);
  for (let round = 0; round <= rounds; round += 1)
    for (const name of names) {
      const { pids, call, prepare } = sides[name];
      await prepare?.(amount);
      const read = () => ({
        programs: sum(pids.map((pid) => readProcess(pid)?.ownMs ?? Number.NaN)),
        postgres: readServer(postmaster),
      });
      const before = read();
      await call(amount);
      const after = read();
      const total = totals.get(name);
      if (round === 0 || total === undefined) continue;
      total.programs += (after.programs - before.programs) / amount / rounds;
      total.postgres += (after.postgres - before.postgres) / amount / rounds;
    }
  return Object.fromEntries(totals) as Record<Name, CpuTime>;
}
