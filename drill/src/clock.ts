import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { writeFor } from "./files.js";
import type { Account } from "./program.js";

const FOLDER = "/usr/lib";
const FILE = "faketime/libfaketime.so.1";
const LIBRARY = readdirSync(FOLDER)
  .map((architecture) => path.join(FOLDER, architecture, FILE))
  .find((file) => existsSync(file));

/** Whether a machine's clock can be shifted, which needs Debian's package libfaketime. */
export const canShift = LIBRARY !== undefined;

/** The clock of a PostgreSQL server. Patroni and etcd use the correct time: libfaketime breaks Python's sleep and does not affect Go. */
export type Clock = {
  programs: string;
  /**
   * Sets the clock `seconds` ahead of the correct time, or behind it if negative. Takes effect within a second, and only on a server that was started
   * after the first call.
   */
  set(seconds: number): Promise<void>;
};

/** Creates a folder of PostgreSQL programs in which the server starts with libfaketime if the clock offset file exists. */
export async function openClock(
  home: string,
  original: string,
  account: Account | undefined,
): Promise<Clock> {
  const programs = path.join(home, "bin");
  const offset = path.join(home, "clock");
  const set = (seconds: number): Promise<void> =>
    writeFor(account, offset, `${seconds < 0 ? "" : "+"}${seconds}\n`);
  await mkdir(programs);
  for (const name of await readdir(original))
    if (name !== "postgres") await symlink(path.join(original, name), path.join(programs, name));
  const server = path.join(programs, "postgres");
  await writeFile(
    server,
    `#!/bin/sh
if [ -e ${offset} ]; then
  export LD_PRELOAD=${LIBRARY ?? ""} FAKETIME_TIMESTAMP_FILE=${offset} FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1
fi
exec ${path.join(original, "postgres")} "$@"
`,
  );
  await chmod(server, 0o755);
  return { programs, set };
}
