import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { proveLedger } from "@tillgate/database";
import { withConnection } from "@tillgate/migrate";
import { abortOnSignal } from "../abort-on-signal.js";
import { StackError } from "../stack-error.js";
import { reportBackup } from "./backups.js";
import { compareBooks, DATABASE, type RunningBooks, readRunningBooks } from "./compare-books.js";

const USAGE = `npm run restore-drill -- --running <URL> [--config <file>] [--stanza <name>] [--postgres <folder>] [--folder <folder>]
  Restores the newest pgBackRest backup into a temporary folder, replays the WAL to the end, proves the ledger, compares its counts and sums with
  the running database, and records the outcome there, for the console's health page and the metrics. Run it every day as postgres on the primary.
  --running   the running database as postgres, such as postgresql://postgres@localhost/tillgate?host=/var/run/postgresql
  --config    pgBackRest's configuration file; default: /etc/pgbackrest.conf
  --stanza    pgBackRest's stanza; default: tillgate
  --postgres  PostgreSQL's programs; default: /usr/lib/postgresql/15/bin
  --folder    where the copy is restored, with as much free space as the database takes; default: /var/tmp`;

const run = promisify(execFile);
/** Limit for replaying the WAL. */
const RECOVERY_TIMEOUT_MS = 4 * 3_600_000;
/** By default, pg_ctl stops waiting after a minute, although the server is still replaying. */
const RECOVERY_TIMEOUT_SECONDS = String(RECOVERY_TIMEOUT_MS / 1_000);
const RECOVERY_POLL_MS = 500;
const STOP_RETRY_MS = 200;
const PGBACKREST_STOP_LIMIT_MS = 5_000;
/** PostgreSQL's error code while it starts or recovers. */
const CANNOT_CONNECT_NOW = "57P03";
const PORT = "5432";
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

type DrillOptions = {
  running: string;
  config: string;
  stanza: string;
  postgres: string;
  folder: string;
};

export async function restoreDrill(commandLine: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...commandLine],
      options: {
        running: { type: "string" },
        config: { type: "string", default: "/etc/pgbackrest.conf" },
        stanza: { type: "string", default: "tillgate" },
        postgres: { type: "string", default: "/usr/lib/postgresql/15/bin" },
        folder: { type: "string", default: "/var/tmp" },
      },
    });
    const { running } = values;
    if (running === undefined) throw new StackError(USAGE);
    console.log(await verifyNewestBackup({ ...values, running }, abortOnSignal()));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? `\n${error.message}\n` : error);
    return 1;
  }
}

/**
 * Verifies the newest backup by restoring a copy.
 * @param signal interrupts the drill: nothing is recorded, and the copy and its server are removed.
 * @returns a message for the operator.
 * @throws Error if the backup cannot be restored, its ledger is not sound, or its books differ; the reason is then recorded in the running database.
 */
async function verifyNewestBackup(options: DrillOptions, signal: AbortSignal): Promise<string> {
  const runningBooks = await readRunningBooks(options.running);
  const parent = await mkdtemp(path.join(options.folder, "tillgate-restore-drill-"));
  try {
    await restoreAndVerify(options, parent, runningBooks, signal);
  } catch (error) {
    if (signal.aborted) throw new StackError("The restore drill was interrupted.", { cause: error });
    await reportBackup(options.running, error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    // Workers of an interrupted pgBackRest outlive it and may still write files for a moment.
    await rm(parent, { recursive: true, force: true, maxRetries: 50, retryDelay: 10 });
  }
  await reportBackup(options.running, null);
  return "The newest backup was restored, its ledger is sound, and its books match the running books.";
}

async function restoreAndVerify(
  { config, stanza, postgres }: DrillOptions,
  parent: string,
  runningBooks: RunningBooks,
  signal: AbortSignal,
): Promise<void> {
  const [data, sockets] = [path.join(parent, "data"), path.join(parent, "sockets")];
  await mkdir(data, { mode: 0o700 });
  await mkdir(sockets, { mode: 0o700 });
  const runPgbackrest = async (...rest: string[]): Promise<void> => {
    signal.throwIfAborted();
    const settings = [`--config=${config}`, `--stanza=${stanza}`, "--log-level-console=warn"];
    const ending = run("pgbackrest", [...settings, ...rest], { maxBuffer: MAX_OUTPUT_BYTES });
    // The signal option of execFile would reject without waiting for the process to exit.
    let limit: NodeJS.Timeout | undefined;
    const stop = (): void => {
      ending.child.kill();
      limit = setTimeout(() => ending.child.kill("SIGKILL"), PGBACKREST_STOP_LIMIT_MS);
    };
    signal.addEventListener("abort", stop);
    try {
      await ending;
    } finally {
      signal.removeEventListener("abort", stop);
      clearTimeout(limit);
    }
  };
  // Archives all WAL written so far, and fails if archiving does not work.
  await runPgbackrest("check");
  await runPgbackrest(`--pg1-path=${data}`, "--archive-mode=off", "restore");
  const access = path.join(parent, "pg_hba.conf");
  // Only this user can enter the folder of the socket.
  await writeFile(access, "local all all trust\n", { mode: 0o600 });
  const settings = {
    config_file: path.join(parent, "postgresql.conf"),
    hba_file: access,
    listen_addresses: "",
    unix_socket_directories: sockets,
    port: PORT,
    archive_mode: "off",
    // With hot standby, the copy's limits would have to be as high as the primary's.
    hot_standby: "off",
  };
  await writeFile(settings.config_file, "", { mode: 0o600 });
  const control = (...rest: string[]) => run(path.join(postgres, "pg_ctl"), ["-D", data, ...rest]);
  const log = path.join(parent, "postgresql.log");
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  const stopNow = (): Promise<unknown> => control("stop", "-m", "immediate");
  let isOver = false;
  // Stopping the server ends any step that waits for it. A server that is just starting has no PID file yet and cannot be stopped, so this retries.
  const stopUntilOver = async (): Promise<void> => {
    while (!isOver) {
      await stopNow().catch(() => undefined);
      await delay(STOP_RETRY_MS);
    }
  };
  signal.throwIfAborted();
  signal.addEventListener("abort", () => void stopUntilOver());
  try {
    await control("start", "-w", "-t", RECOVERY_TIMEOUT_SECONDS, "-l", log, "-o", flags.join(" "));
    signal.throwIfAborted();
    const restored = `postgresql://postgres@localhost/${DATABASE}?host=${encodeURIComponent(sockets)}&port=${PORT}`;
    await waitUntilReplayed(restored);
    const { rules } = await proveLedger(restored);
    const violations = rules.flatMap(({ rule, violations }) => violations.map((row) => `${rule}: ${row}`));
    const differences = await compareBooks(runningBooks, restored);
    if (violations.length + differences.length > 0)
      throw new StackError(
        `The newest backup was restored, but its ledger is not sound or differs from the running ledger: ${[...violations, ...differences].join("; ")}`,
      );
  } finally {
    isOver = true;
    // pg_ctl stop fails if the server has already exited.
    const isRunning = await control("status").then(
      () => true,
      () => false,
    );
    if (isRunning) await stopNow();
  }
}

/**
 * Waits until a server has replayed its WAL: without hot standby, it accepts connections only after recovery.
 * @throws the connection error if the server has stopped, or is still replaying after four hours.
 */
async function waitUntilReplayed(url: string): Promise<void> {
  const deadline = Date.now() + RECOVERY_TIMEOUT_MS;
  for (;;) {
    try {
      return await withConnection({ connectionString: url }, async () => undefined);
    } catch (error) {
      const isRecovering = error instanceof Error && "code" in error && error.code === CANNOT_CONNECT_NOW;
      if (!isRecovering || Date.now() > deadline) throw error;
      await delay(RECOVERY_POLL_MS);
    }
  }
}
