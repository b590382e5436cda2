import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CALLERS, type Side } from "./load.js";
import { isShort, sized } from "./sized.js";

/** Branches: with fewer than callers, the callers would wait for each other. */
const SCALE = sized(2 * CALLERS, 1);

const run = promisify(execFile);

/** Whether there is a pgbench on the PATH. */
export const hasPgbench = (): Promise<boolean> =>
  run("pgbench", ["--version"]).then(
    () => true,
    () => false,
  );

/** Makes pgbench's tables in an empty database. @returns its own load, which is like TPC-B. */
export async function openPgbench(databaseUrl: string): Promise<Side> {
  const pgbench = (...words: string[]) =>
    run("pgbench", words, { env: { ...process.env, ...inEnvironment(databaseUrl) } });
  await pgbench("--initialize", "--quiet", `--scale=${SCALE}`);
  return async ({ seconds, calls }) => {
    const length = isShort ? `--transactions=${Math.ceil(calls / CALLERS)}` : `--time=${seconds}`;
    const { stdout } = await pgbench(
      `--client=${CALLERS}`,
      "--jobs=2",
      "--protocol=prepared",
      "--no-vacuum",
      length,
    );
    const [, perSecond] = /^tps = ([\d.]+) \((?:without|excluding)/m.exec(stdout) ?? [];
    if (perSecond === undefined) throw new Error(`pgbench said no speed: ${stdout}`);
    // It tells no p99.
    return { perSecond: Number(perSecond), p99: Number.NaN };
  };
}

/** As PostgreSQL's programs read it, so that the password shows in no list of processes. */
function inEnvironment(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  };
}
