import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { rotateLog } from "@tillgate/service";
import { StackError } from "./stack-error.js";

const HEALTHY_TIMEOUT_MS = 60_000;
const HEALTH_POLL_MS = 100;
const HEALTH_RESPONSE_TIMEOUT_MS = 2_000;
/** Twice the 5 s in which services shut down. */
const STOP_TIMEOUT_MS = 10_000;
const KILL_TIMEOUT_MS = 2_000;
const SHOWN_LOG_LINES = 15;

const exitWithParent = path.join(import.meta.dirname, "exit-with-parent.js");

export type ServiceDefinition = {
  name: string;
  /** The built program, run by Node. */
  entry: string;
  workingDirectory: string;
  environment: Record<string, string>;
  /** The service is healthy once all of these respond 200. */
  healthUrls: readonly string[];
};

export type ServiceProcess = {
  name: string;
  logFile: string;
  /** Waits until it is healthy. @throws StackError with its last log lines when it exits or times out. */
  healthy(signal: AbortSignal): Promise<void>;
  /** Resolves with the reason and the last log lines when it exits unexpectedly. */
  failed: Promise<StackError>;
  /** Sends SIGTERM, then SIGKILL after 10 s. */
  stop(): Promise<void>;
};

/** Starts a service in its own process group, so that Ctrl-C reaches the stack first. */
export async function startService(
  definition: ServiceDefinition,
  logFolder: string,
): Promise<ServiceProcess> {
  const { name } = definition;
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  const logFile = path.join(logFolder, `${name}.log`);
  await rotateLog(logFile);
  const log = await open(logFile, "a", 0o600);
  const child = spawn(process.execPath, ["--import", exitWithParent, definition.entry], {
    cwd: definition.workingDirectory,
    env: definition.environment,
    detached: true,
    stdio: ["ignore", log.fd, log.fd, "ipc"],
  });
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be started (${error.message})`));
    child.once("exit", (code, signal) =>
      resolve(signal ? `was killed by ${signal}` : `exited with code ${code}`),
    );
  });
  await log.close();
  const stopChild = () => child.kill("SIGTERM");
  process.once("exit", stopChild);
  void exited.then(() => process.off("exit", stopChild));

  let stopping = false;
  const failed = new Promise<StackError>((resolve) => {
    void exited.then(async (outcome) => {
      if (!stopping) resolve(new StackError(`${name} ${outcome}.\n${await lastLines(logFile)}`));
    });
  });
  return {
    name,
    logFile,
    failed,
    healthy: (signal) => waitUntilHealthy(definition, { failed, logFile, signal }),
    stop: async () => {
      stopping = true;
      await stopProcess(child, exited);
    },
  };
}

type HealthOptions = { failed: Promise<StackError>; logFile: string; signal: AbortSignal };

async function waitUntilHealthy(definition: ServiceDefinition, options: HealthOptions): Promise<void> {
  let failure: StackError | undefined;
  void options.failed.then((error) => {
    failure = error;
  });
  const deadline = Date.now() + HEALTHY_TIMEOUT_MS;
  for (const url of definition.healthUrls) {
    while (!(await isResponding(url, options.signal))) {
      if (failure) throw failure;
      if (Date.now() > deadline) {
        throw new StackError(
          `${definition.name} is not healthy after ${HEALTHY_TIMEOUT_MS / 1000} s (${url}).\n${await lastLines(options.logFile)}`,
        );
      }
      await delay(HEALTH_POLL_MS, undefined, { signal: options.signal });
    }
  }
  if (failure) throw failure;
}

async function isResponding(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(HEALTH_RESPONSE_TIMEOUT_MS)]);
    const response = await fetch(url, { signal: timeout, redirect: "manual" });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

async function stopProcess(child: ChildProcess, exited: Promise<string>): Promise<void> {
  for (const [signal, limitMs] of [
    ["SIGTERM", STOP_TIMEOUT_MS],
    ["SIGKILL", KILL_TIMEOUT_MS],
  ] as const) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (signal === "SIGKILL") killGroup(child.pid);
    else child.kill(signal);
    const waiting = new AbortController();
    const timeout = delay(limitMs, false, { signal: waiting.signal }).catch(() => false);
    const isGone = await Promise.race([exited.then(() => true), timeout]);
    waiting.abort();
    if (isGone) return;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has just exited.
  }
}

async function lastLines(logFile: string): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "");
  const lines = text.trimEnd().split("\n").slice(-SHOWN_LOG_LINES);
  return `Last lines of ${logFile}:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
