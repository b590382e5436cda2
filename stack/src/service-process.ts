import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { rotateLog } from "@tillgate/service";
import { StackError } from "./stack-error.js";

const HEALTH_LIMIT_MS = 60_000;
const HEALTH_POLL_MS = 100;
const HEALTH_ANSWER_LIMIT_MS = 2_000;
/** Services promise to end within 5 s. */
const STOP_LIMIT_MS = 10_000;
const KILL_LIMIT_MS = 2_000;
const SHOWN_LOG_LINES = 15;

const endWithParent = path.join(import.meta.dirname, "end-with-parent.js");

export type ServiceDefinition = {
  name: string;
  /** The built program, run by Node. */
  entry: string;
  workingDirectory: string;
  environment: Record<string, string>;
  /** All must answer 200 before the service counts as healthy. */
  healthUrls: readonly string[];
};

export type ServiceProcess = {
  name: string;
  logFile: string;
  /** Waits until it is healthy. Throws a StackError with its last log lines when it ends or takes too long. */
  healthy(signal: AbortSignal): Promise<void>;
  /** Settles with a plain sentence and the last log lines when it ends without being asked to. */
  failed: Promise<StackError>;
  /** SIGTERM, and after 10 s SIGKILL. */
  stop(): Promise<void>;
};

/** Starts a service in a process group of its own, so that Ctrl-C reaches the stack first. */
export async function startService(
  definition: ServiceDefinition,
  logFolder: string,
): Promise<ServiceProcess> {
  const { name } = definition;
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  const logFile = path.join(logFolder, `${name}.log`);
  await rotateLog(logFile);
  const log = await open(logFile, "a", 0o600);
  const child = spawn(process.execPath, ["--import", endWithParent, definition.entry], {
    cwd: definition.workingDirectory,
    env: definition.environment,
    detached: true,
    stdio: ["ignore", log.fd, log.fd, "ipc"],
  });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be started (${error.message})`));
    child.once("exit", (code, signal) =>
      resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`),
    );
  });
  await log.close();
  const endWithUs = () => child.kill("SIGTERM");
  process.once("exit", endWithUs);
  void ended.then(() => process.off("exit", endWithUs));

  let stopping = false;
  const failed = new Promise<StackError>((resolve) => {
    void ended.then(async (how) => {
      if (!stopping) resolve(new StackError(`${name} ${how}.\n${await lastLines(logFile)}`));
    });
  });
  return {
    name,
    logFile,
    failed,
    healthy: (signal) => waitUntilHealthy(definition, { failed, logFile, signal }),
    stop: async () => {
      stopping = true;
      await endProcess(child, ended);
    },
  };
}

type HealthOptions = { failed: Promise<StackError>; logFile: string; signal: AbortSignal };

async function waitUntilHealthy(definition: ServiceDefinition, options: HealthOptions): Promise<void> {
  let failure: StackError | undefined;
  void options.failed.then((error) => {
    failure = error;
  });
  const deadline = Date.now() + HEALTH_LIMIT_MS;
  for (const url of definition.healthUrls) {
    while (!(await answersOk(url, options.signal))) {
      if (failure) throw failure;
      if (Date.now() > deadline) {
        throw new StackError(
          `${definition.name} is not healthy after ${HEALTH_LIMIT_MS / 1000} s (${url}).\n${await lastLines(options.logFile)}`,
        );
      }
      await delay(HEALTH_POLL_MS, undefined, { signal: options.signal });
    }
  }
  if (failure) throw failure;
}

async function answersOk(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(HEALTH_ANSWER_LIMIT_MS)]);
    const response = await fetch(url, { signal: limit, redirect: "manual" });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

async function endProcess(child: ChildProcess, ended: Promise<string>): Promise<void> {
  for (const [signal, limitMs] of [
    ["SIGTERM", STOP_LIMIT_MS],
    ["SIGKILL", KILL_LIMIT_MS],
  ] as const) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (signal === "SIGKILL") killGroup(child.pid);
    else child.kill(signal);
    const waiting = new AbortController();
    const timeout = delay(limitMs, false, { signal: waiting.signal }).catch(() => false);
    const gone = await Promise.race([ended.then(() => true), timeout]);
    waiting.abort();
    if (gone) return;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group ended in this very moment.
  }
}

async function lastLines(logFile: string): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "");
  const lines = text.trimEnd().split("\n").slice(-SHOWN_LOG_LINES);
  return `Last lines of ${logFile}:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
