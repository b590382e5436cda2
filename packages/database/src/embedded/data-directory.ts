import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { totalmem } from "node:os";
import path from "node:path";
import { changeOwner, createSpawnOptions, type ServerAccount } from "./account.js";
import type { ServerBinaries } from "./binaries.js";
import { EmbeddedServerError } from "./errors.js";

export const SUPERUSER = "postgres";
const MIB = 1024 ** 2;

/**
 * Returns PostgreSQL's `shared_buffers` for a machine that also runs the services: an eighth of the memory, from 128 MB (PostgreSQL's default) to
 * 1 GB. With the default, throughput falls by a fifth once the database exceeds it.
 * @param memory in bytes
 */
export const chooseSharedBuffers = (memory: number): string =>
  `${Math.round(Math.min(1024, Math.max(128, memory / MIB / 8)))}MB`;

/** Returns the memory of the machine or, if it is lower, of the container, in bytes. */
const readMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());

/**
 * Returns the working directory and the `-D` argument for PostgreSQL's programs. On Linux, a separate account starts in the data directory and passes
 * it as /proc/self/cwd, because the account may not be able to enter the parent folders.
 */
export function dataDirectoryArguments(
  dataDirectory: string,
  account: ServerAccount | undefined,
): { cwd: string; argument: string } {
  if (account && process.platform === "linux") return { cwd: dataDirectory, argument: "/proc/self/cwd" };
  return { cwd: path.dirname(dataDirectory), argument: dataDirectory };
}

type PrepareOptions = {
  dataDirectory: string;
  binaries: ServerBinaries;
  account: ServerAccount | undefined;
  fsync: boolean;
  /** Whether to fail if there is no database, instead of creating one, because the database's disk may not be mounted. */
  mustExist: boolean;
};

/**
 * Creates the data directory if missing; an interrupted start leaves no incomplete directory. If the password file is lost, sets a new password.
 * @returns the superuser's password, stored in `<name of the data directory>-password` (mode 0600).
 * @throws EmbeddedServerError if the directory contains other files or another version's data, if it must exist but is missing, or if a program
 * fails.
 */
export async function prepareDataDirectory(options: PrepareOptions): Promise<string> {
  const { dataDirectory, binaries, account, fsync, mustExist } = options;
  await mkdir(path.dirname(dataDirectory), { recursive: true, mode: 0o700 });
  const version = await readDataVersion(dataDirectory);
  if (version === undefined && mustExist)
    throw new EmbeddedServerError(`${dataDirectory} no longer contains the database. Is its disk mounted?`);
  if (version !== undefined && version !== binaries.majorVersion) {
    throw new EmbeddedServerError(
      `The database in ${dataDirectory} was created by PostgreSQL ${version}; this release includes ${binaries.majorVersion}. ` +
        "Copy it to the new version with npm run upgrade-postgresql (docs/production.md), or set DATABASE_URL to the URL of your own PostgreSQL database.",
    );
  }
  const passwordFile = `${dataDirectory}-password`;
  const stored = version === undefined ? undefined : await readPassword(passwordFile);
  if (stored !== undefined) return stored;

  const password = randomBytes(24).toString("base64url");
  if (version === undefined) {
    const unfinished = `${dataDirectory}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    await changeOwner(account, unfinished);
    await initialise(unfinished, binaries, account, fsync);
    await setPassword(unfinished, binaries, account, password);
    await storePassword(passwordFile, password);
    await rename(unfinished, dataDirectory);
  } else {
    await setPassword(dataDirectory, binaries, account, password);
    await storePassword(passwordFile, password);
  }
  return password;
}

async function readDataVersion(dataDirectory: string): Promise<string | undefined> {
  const entries = await readdir(dataDirectory).catch((error: unknown): string[] => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  if (entries.length === 0) return undefined;
  if (!entries.includes("PG_VERSION")) {
    throw new EmbeddedServerError(
      `${dataDirectory} contains files but no PostgreSQL database. Choose another folder. The files were not changed.`,
    );
  }
  return (await readFile(path.join(dataDirectory, "PG_VERSION"), "utf8")).trim();
}

async function initialise(
  dataDirectory: string,
  binaries: ServerBinaries,
  account: ServerAccount | undefined,
  fsync: boolean,
): Promise<void> {
  const { cwd, argument } = dataDirectoryArguments(dataDirectory, account);
  await run(binaries.initdb, {
    account,
    cwd,
    arguments: [
      `--pgdata=${argument}`,
      `--username=${SUPERUSER}`,
      // No connections are accepted until a password is set. Then pg_hba.conf, written below, applies.
      "--auth=reject",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
      // Stored in postgresql.conf, where an operator can change it.
      ...(fsync ? [`--set=shared_buffers=${chooseSharedBuffers(readMemory())}`] : ["--no-sync"]),
    ],
  });
  const hba = path.join(dataDirectory, "pg_hba.conf");
  await writeFile(
    hba,
    "# Passwords only, from this machine only.\nhost all all 127.0.0.1/32 scram-sha-256\n",
  );
  await changeOwner(account, hba);
  await chmod(hba, 0o600);
}

/** Sets the superuser's password in single-user mode, which needs no password and no port. */
async function setPassword(
  dataDirectory: string,
  binaries: ServerBinaries,
  account: ServerAccount | undefined,
  password: string,
): Promise<void> {
  const { cwd, argument } = dataDirectoryArguments(dataDirectory, account);
  await run(binaries.postgres, {
    account,
    cwd,
    arguments: ["--single", "-D", argument, "-c", "log_min_messages=error", "postgres"],
    // base64url needs no quoting. The password is passed on standard input so that lists of processes do not show it.
    input: `ALTER ROLE ${SUPERUSER} PASSWORD '${password}'\n`,
  });
}

async function readPassword(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  return text.trim() === "" ? undefined : text.trim();
}

async function storePassword(file: string, password: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${password}\n`, { mode: 0o600 });
  await rename(unfinished, file);
}

type RunOptions = {
  account: ServerAccount | undefined;
  cwd: string;
  arguments: readonly string[];
  input?: string;
};

async function run(command: string, options: RunOptions): Promise<void> {
  const child = spawn(command, options.arguments, {
    ...createSpawnOptions(options.account),
    cwd: options.cwd,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString("utf8")).slice(-4_000);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  // A program that exits early closes its input. Its exit code and output explain more than EPIPE does.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  const end = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve(signal ? `was killed by ${signal}` : `exited with code ${code}`),
    );
  });
  if (child.exitCode !== 0)
    throw new EmbeddedServerError(`${path.basename(command)} ${end}:\n${output.trim()}`);
}
