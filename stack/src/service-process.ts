import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { rotateLog } from "@tillgate/service";
import { StackError } from "./stack-error.js";

const HEALTH_POLL_MS = 100;
const HEALTH_RESPONSE_TIMEOUT_MS = 2_000;
/** Twice the 5 s in which services shut down. */
const STOP_TIMEOUT_MS = 10_000;
const KILL_TIMEOUT_MS = 2_000;
const SHOWN_LOG_LINES = 15;

const exitWithParent = path.join(import.meta.dirname, "exit-with-parent.js");

/**
 * With V8's default of 16 MB for new objects, a busy API spends an eighth of its time collecting garbage. The files in deploy/ that start a single
 * service repeat these flags.
 */
export const nodeFlags: readonly string[] = ["--max-semi-space-size=32"];

export type ServiceDefinition = {
  name: string;
  entry: string;
  workingDirectory: string;
  environment: Record<string, string>;
  /** The service is healthy once all of these respond with 200. */
  healthUrls: readonly string[];
};

export type ServiceProcess = {
  name: string;
  logFile: string;
  /**
   * Waits until the service is healthy.
   * @param timeoutMs default: none.
   * @throws StackError with the service's message or last log lines if it exits or the wait times out; the signal's reason if the signal is aborted.
   */
  healthy(signal: AbortSignal, timeoutMs?: number): Promise<void>;
  /** Resolves with how the process ended, such as "was killed by SIGKILL". */
  exited: Promise<string>;
  /** Sends a message, which is lost if the process has exited. */
  send(message: object): void;
  /** Sends SIGTERM, then SIGKILL after 10 s. */
  stop(): Promise<void>;
};

/**
 * Starts a service in a separate process group, so that Ctrl-C reaches only the stack, which then stops the service.
 * @param continues true to append to the log, for a restart after an unexpected exit. By default, the log is rotated first.
 */
export async function startService(
  definition: ServiceDefinition,
  logFolder: string,
  { continues = false } = {},
): Promise<ServiceProcess> {
  const { name } = definition;
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  const logFile = path.join(logFolder, `${name}.log`);
  if (!continues) await rotateLog(logFile);
  const log = await open(logFile, "a", 0o600);
  const child = spawn(process.execPath, [...nodeFlags, "--import", exitWithParent, definition.entry], {
    cwd: definition.workingDirectory,
    env: definition.environment,
    detached: true,
    stdio: ["ignore", log.fd, log.fd, "ipc"],
  });
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be started (${error.message})`));
    child.once("exit", (code, signal) => resolve(describeExit(code, signal)));
  });
  await log.close();
  const stopChild = () => child.kill("SIGTERM");
  process.once("exit", stopChild);
  void exited.then(() => process.off("exit", stopChild));

  return {
    name,
    logFile,
    exited,
    healthy: (signal, timeoutMs = Number.POSITIVE_INFINITY) =>
      waitUntilHealthy(definition, { exited, logFile, signal, timeoutMs }),
    send: (message) => void (child.connected && child.send(message, () => undefined)),
    stop: () => stopProcess(child, exited),
  };
}

export const describeExit = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal ? `was killed by ${signal}` : `exited with code ${code}`;

type HealthOptions = { exited: Promise<string>; logFile: string; signal: AbortSignal; timeoutMs: number };

async function waitUntilHealthy(
  { name, healthUrls }: ServiceDefinition,
  { exited, logFile, signal, timeoutMs }: HealthOptions,
): Promise<void> {
  let outcome: string | undefined;
  void exited.then((how) => {
    outcome = how;
  });
  const deadline = Date.now() + timeoutMs;
  const throwIfExited = async (): Promise<void> => {
    if (outcome !== undefined)
      throw new StackError(await describeFailedStart(`${name} ${outcome}.`, logFile));
  };
  for (const url of healthUrls) {
    while (!(await isResponding(url, signal))) {
      await throwIfExited();
      if (Date.now() > deadline)
        throw new StackError(
          `${name} is not healthy after ${timeoutMs / 1000} s (${url}).\n${await lastLines(logFile)}`,
        );
      await delay(HEALTH_POLL_MS, undefined, { signal });
    }
  }
  await throwIfExited();
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

/** Returns the service's own message, such as "The API cannot start: …"; without one, the outcome and the last log lines. */
async function describeFailedStart(outcome: string, logFile: string): Promise<string> {
  const text = (await readFile(logFile, "utf8").catch(() => "")).trimEnd();
  const at = text.lastIndexOf(" cannot start:");
  return at === -1 ? `${outcome}\n${await lastLines(logFile)}` : text.slice(text.lastIndexOf("\n", at) + 1);
}

async function lastLines(logFile: string): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "");
  const lines = text.trimEnd().split("\n").slice(-SHOWN_LOG_LINES);
  return `Last lines of ${logFile}:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
