import { errorReason } from "./run.js";

/** The delay doubles with each failure. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** After this uptime, a process is healthy again and the delay starts over. */
const HEALTHY_UPTIME_MS = 60_000;
const ALARM_FAILURES = 3;
/** Longer than three slow starts take, and longer than the uptimes in a crash loop. */
const ALARM_WINDOW_MS = 900_000;

type SuperviseOptions<Process> = {
  /** @throws Error when the process cannot be started, which counts as a failure and is retried. */
  restart: () => Promise<Process>;
  /** Stops the supervision, even during a delay. The process itself keeps running. */
  signal: AbortSignal;
  /** Called when the process exited or could not be restarted. `delayMs` is the time until the next attempt. */
  onFailure: (reason: string, delayMs: number) => void;
  /** Called when the process failed three times within 15 minutes. Not called again until it has been healthy for a minute. */
  onAlarm: (reason: string) => void;
  /** Called when the process has been running for a minute after an alarm. */
  onHealthy?: () => void;
};

/**
 * Restarts a process whenever it exits, with exponential backoff.
 * @param first a running process; `exited` resolves with the reason, such as "was killed by SIGKILL".
 * @returns the process that is running when the signal is aborted; undefined if none is.
 */
export async function supervise<Process extends { exited: Promise<string> }>(
  first: Process,
  { restart, signal, onFailure, onAlarm, onHealthy }: SuperviseOptions<Process>,
): Promise<Process | undefined> {
  const aborted = new Promise<string>((resolve) => {
    signal.addEventListener("abort", () => resolve(""), { once: true });
  });
  let failedAt: number[] = [];
  let delayMs = FIRST_DELAY_MS;
  let isAlarmed = false;
  const reset = (): void => {
    delayMs = FIRST_DELAY_MS;
    if (isAlarmed) onHealthy?.();
    isAlarmed = false;
  };
  const waitForExit = async ({ exited }: Process): Promise<string> => {
    const timer = setTimeout(reset, HEALTHY_UPTIME_MS).unref();
    return await Promise.race([aborted, exited]).finally(() => clearTimeout(timer));
  };
  const waitForDelay = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const elapsed = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, delayMs);
    });
    await Promise.race([aborted, elapsed]);
    clearTimeout(timer);
  };
  let running: Process | undefined = first;
  let reason = "";
  while (!signal.aborted) {
    if (running) reason = await waitForExit(running);
    if (signal.aborted) break;
    running = undefined;
    onFailure(reason, delayMs);
    const now = performance.now();
    failedAt = [...failedAt, now].filter((at) => now - at < ALARM_WINDOW_MS);
    if (failedAt.length >= ALARM_FAILURES && !isAlarmed) {
      isAlarmed = true;
      onAlarm(reason);
    }
    await waitForDelay();
    if (signal.aborted) break;
    delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    try {
      running = await restart();
    } catch (error) {
      reason = errorReason(error);
    }
  }
  return running;
}
