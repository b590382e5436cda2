import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CALLERS, type Side } from "./load.js";
import { isShort, pickSize } from "./sized.js";

/** Number of pgbench's branches. With fewer branches than callers, callers would wait for each other. */
const SCALE = pickSize(2 * CALLERS, 1);

const run = promisify(execFile);

export const hasPgbench = (): Promise<boolean> =>
  run("pgbench", ["--version"]).then(
    () => true,
    () => false,
  );

/** Creates pgbench's tables in an empty database. @returns its built-in workload, similar to TPC-B. */
export async function openPgbench(databaseUrl: string): Promise<Side> {
  const runPgbench = (...words: string[]) =>
    run("pgbench", words, { env: { ...process.env, ...toEnvironment(databaseUrl) } });
  await runPgbench("--initialize", "--quiet", `--scale=${SCALE}`);
  return async ({ seconds, calls }) => {
    const length = isShort ? `--transactions=${Math.ceil(calls / CALLERS)}` : `--time=${seconds}`;
    const { stdout } = await runPgbench(
      `--client=${CALLERS}`,
      "--jobs=2",
      "--protocol=prepared",
      "--no-vacuum",
      length,
    );
    const [, perSecond] = /^tps = ([\d.]+) \((?:without|excluding)/m.exec(stdout) ?? [];
    if (perSecond === undefined) throw new Error(`pgbench reported no TPS: ${stdout}`);
    // pgbench does not report a p99.
    return { perSecond: Number(perSecond), p99: Number.NaN };
  };
}

/** Returns PostgreSQL's environment variables, which keep the password out of the process list. */
function toEnvironment(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  };
}
