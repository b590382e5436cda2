import { type ChildProcess, spawn } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withConnection } from "@tillgate/migrate";
import { rotateLog } from "@tillgate/service";
import { chooseAccount, createSpawnOptions, type ServerAccount } from "./account.js";
import { createArchiveSettings } from "./archive.js";
import { prepareBackupFolder } from "./backup.js";
import { findBinaries } from "./binaries.js";
import { dataDirectoryArguments, prepareDataDirectory, SUPERUSER } from "./data-directory.js";
import { EmbeddedServerError } from "./errors.js";
import { clearStaleLock, findRunningServer } from "./leftover.js";

/**
 * Starts a shell that shuts the server down when this process is killed. The shell notices that because its pipe from this process closes.
 * @returns a function that stops the shell.
 */
function watchStarter(serverPid: number, account: ServerAccount | undefined): () => void {
  if (process.platform === "win32") return () => undefined;
  const watcher = spawn("/bin/sh", ["-c", 'read -r line; kill -INT "$0"', String(serverPid)], {
    ...createSpawnOptions(account),
    cwd: "/",
    env: {},
    // In its own process group, because Ctrl-C in a terminal would otherwise end the watcher too.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a shell, there is no watcher. The next start then stops the leftover server.
  watcher.on("error", () => undefined);
  watcher.stdin.on("error", () => undefined);
  watcher.unref();
  if ("unref" in watcher.stdin && typeof watcher.stdin.unref === "function") watcher.stdin.unref();
  return () => watcher.kill("SIGKILL");
}

export { type Damage, findUnreadSegment, hasArchive, inspectArchive, isArchived } from "./archive.js";
export {
  type Backup,
  deleteBackups,
  deleteOldBackups,
  listBackups,
  markAsVerified,
  readVerificationTime,
  takeBackup,
} from "./backup.js";
export { EmbeddedServerError } from "./errors.js";
export { findRunningServer, stopLeftoverServer } from "./leftover.js";
export { describeDamage, restoreBackup, waitForRecovery } from "./restore.js";

const HOST = "127.0.0.1";
const START_LIMIT_MS = 60_000;
const POLL_MS = 20;
/** Longest polling interval during a recovery. Each attempt writes a line to PostgreSQL's log. */
const RECOVERY_POLL_MS = 1_000;
/** Maximum wait until the processes of a killed server release its shared memory. */
const LEFTOVER_MEMORY_LIMIT_MS = 10_000;
const LEFTOVER_MEMORY_RETRY_MS = 200;
const LEFTOVER_MEMORY = "pre-existing shared memory block";
/** Maximum wait for a fast shutdown. After it, the server is stopped immediately, and the next start requires a recovery. */
const FAST_SHUTDOWN_LIMIT_MS = 20_000;
const IMMEDIATE_SHUTDOWN_LIMIT_MS = 5_000;
const LOG_TAIL_LINES = 15;
export type EmbeddedServerOptions = {
  /** Data directory, created if missing. The log and the superuser's password are stored next to it. */
  dataDirectory: string;
  /** Default: a free port. */
  port?: number;
  /** Whether to flush writes to the disk. If off, a crash of the machine may lose or corrupt data. Default: on. */
  fsync?: boolean;
  /** Default: 200. */
  maxConnections?: number;
  /** Folder in which the server archives its WAL. */
  backupFolder?: string | undefined;
  /** Whether this restarts a server that ended unexpectedly: its log is appended to, and a missing database is an error. Default: off. */
  continues?: boolean | undefined;
  /** Ends the wait for the server to accept queries, which can be long during a recovery. */
  signal?: AbortSignal | undefined;
};

export type EmbeddedServer = {
  host: string;
  port: number;
  pid: number;
  /** Superuser URL of the database `postgres`. Secret: it contains the password. */
  url: string;
  logFile: string;
  urlOf(database: string): string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Ends all sessions and stops the server, by SIGKILL if necessary; resolves once it has exited. Idempotent. */
  stop(): Promise<void>;
};

/**
 * Starts PostgreSQL on 127.0.0.1 only, and waits until it accepts queries. If this process is root, the server runs as another account.
 * @throws EmbeddedServerError if PostgreSQL cannot be prepared or started, or `signal` aborts the wait.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const deadline = Date.now() + LEFTOVER_MEMORY_LIMIT_MS;
  for (;;) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Backends of a killed server exit by themselves once they notice that it is gone.
      const isTemporary = error instanceof EmbeddedServerError && error.message.includes(LEFTOVER_MEMORY);
      if (!isTemporary || Date.now() > deadline) throw error;
      await delay(LEFTOVER_MEMORY_RETRY_MS);
    }
  }
}

async function startOnce(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { fsync = true, maxConnections = 200, continues = false } = options;
  const dataDirectory = path.resolve(options.dataDirectory);
  const account = await chooseAccount(dataDirectory);
  const binaries = await findBinaries(account);
  await clearStaleLock(dataDirectory);
  const password = await prepareDataDirectory({
    dataDirectory,
    binaries,
    account,
    fsync,
    mustExist: continues,
  });
  if (options.backupFolder !== undefined)
    await prepareBackupFolder(options.backupFolder, dataDirectory).catch((error: unknown) => {
      // A missing backup disk must not stop payments. The alarm about failing archiving reports it.
      if (!continues) throw error;
    });
  const port = options.port ?? (await findFreePort());
  const logFile = `${dataDirectory}.log`;
  if (!continues) await rotateLog(logFile);

  const { cwd, argument } = dataDirectoryArguments(dataDirectory, account);
  const log = await open(logFile, "a", 0o600);
  const settings = {
    listen_addresses: HOST,
    port: String(port),
    unix_socket_directories: "",
    max_connections: String(maxConnections),
    timezone: "UTC",
    log_timezone: "UTC",
    password_encryption: "scram-sha-256",
    ...(options.backupFolder === undefined ? {} : createArchiveSettings(options.backupFolder)),
    ...(fsync ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const child = spawn(
    binaries.postgres,
    ["-D", argument, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    {
      ...createSpawnOptions(account),
      cwd,
      // In its own process group, so that Ctrl-C in a terminal reaches only this process, which stops the services before the database.
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    },
  );
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  // Callers that await the start or `ended` get the error. An unhandled rejection must not crash the process.
  ended.catch(() => undefined);
  const endWithUs = () => child.kill("SIGINT");
  process.once("exit", endWithUs);
  const stopWatching = child.pid === undefined ? () => undefined : watchStarter(child.pid, account);
  const forget = () => {
    process.off("exit", endWithUs);
    stopWatching();
  };
  ended.then(forget, forget);
  await log.close();

  const toUrl = (database: string) =>
    `postgresql://${SUPERUSER}:${password}@${HOST}:${port}/${encodeURIComponent(database)}`;
  try {
    await waitForQueries(toUrl("postgres"), { child, ended, signal: options.signal });
    if (options.backupFolder !== undefined) await wakeArchiveTimeout(toUrl("postgres"));
  } catch (error) {
    await shutDown(child, ended);
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedServerError(
      `PostgreSQL did not start on port ${port}: ${reason}\n${await readLastLines(logFile)}`,
      { cause: error },
    );
  }
  return {
    host: HOST,
    port,
    pid: child.pid ?? 0,
    url: toUrl("postgres"),
    logFile,
    urlOf: toUrl,
    ended,
    stop: () => shutDown(child, ended),
  };
}

/** Returns the superuser's URL, which is secret. @throws EmbeddedServerError if no server is running, or its password file cannot be read. */
export async function getServerUrl(dataDirectory: string, port: number): Promise<string> {
  if ((await findRunningServer(dataDirectory)) === undefined)
    throw new EmbeddedServerError(
      `No PostgreSQL server is running with the data directory ${dataDirectory}.`,
    );
  const password = await readFile(`${dataDirectory}-password`, "utf8").catch((cause: unknown) => {
    throw new EmbeddedServerError(`${dataDirectory}-password cannot be read.`, { cause });
  });
  return `postgresql://${SUPERUSER}:${password.trim()}@${HOST}:${port}/postgres`;
}

type Starting = { child: ChildProcess; ended: Promise<unknown>; signal: AbortSignal | undefined };

/** Waits until the server accepts queries. A recovery has no time limit, because an interrupted recovery would start over. */
async function waitForQueries(url: string, { child, ended, signal }: Starting): Promise<void> {
  let deadline = Date.now() + START_LIMIT_MS;
  let intervalMs = POLL_MS;
  let failed: unknown;
  ended.catch((error: unknown) => {
    failed = error;
  });
  while (Date.now() < deadline) {
    if (failed) throw failed;
    signal?.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(
        child.signalCode
          ? `the server was killed by ${child.signalCode}.`
          : `the server exited with code ${child.exitCode}.`,
      );
    }
    try {
      await withConnection({ connectionString: url, connectionTimeoutMillis: 5_000 }, (client) =>
        client.query("SELECT 1"),
      );
      return;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      // ECONNREFUSED: not listening yet. ECONNRESET: connection closed while starting. 57P03: starting up or recovering. Other errors are permanent.
      if (code !== "ECONNREFUSED" && code !== "ECONNRESET" && code !== "57P03") throw error;
      if (code === "57P03") {
        deadline = Date.now() + START_LIMIT_MS;
        intervalMs = Math.min(2 * intervalMs, RECOVERY_POLL_MS);
      }
    }
    await delay(intervalMs);
  }
  throw new Error(`the server did not accept queries within ${START_LIMIT_MS / 1000} s.`);
}

/** Triggers a checkpoint: a checkpointer that went to sleep during recovery ignores `archive_timeout` for up to `checkpoint_timeout` (5 minutes). */
const wakeArchiveTimeout = (url: string): Promise<unknown> =>
  withConnection({ connectionString: url }, (client) => client.query("CHECKPOINT"));

async function shutDown(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const settled = ended.then(
    () => true,
    () => true,
  );
  for (const [signal, limitMs] of [
    ["SIGINT", FAST_SHUTDOWN_LIMIT_MS],
    ["SIGQUIT", IMMEDIATE_SHUTDOWN_LIMIT_MS],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const waiting = new AbortController();
    const exited = await Promise.race([settled, delay(limitMs, false, { signal: waiting.signal })]);
    waiting.abort();
    if (exited) return;
  }
  child.kill("SIGKILL");
  await settled;
}

/** Finds a free port. If another process takes it before PostgreSQL does, the start fails with a clear error. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, HOST, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string")
    throw new EmbeddedServerError("No free port is available.");
  return address.port;
}

async function readLastLines(logFile: string): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "");
  return text.trimEnd().split("\n").slice(-LOG_TAIL_LINES).join("\n");
}
