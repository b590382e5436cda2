import { supervise } from "@tillgate/service";
import type { FailureCounts } from "./failure-counts.js";
import type { Report } from "./report.js";

type Started = {
  logFile: string;
  /** Resolves with how the process ended, such as "was killed by SIGKILL". */
  exited: Promise<string>;
  healthy(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
};

type KeepRunningOptions<Process> = {
  name: string;
  first: Process;
  /** @param signal aborted when the process is to be stopped. */
  restart: (signal: AbortSignal) => Promise<Process>;
  report: Report;
  failures: Pick<FailureCounts, "add">;
};

/**
 * Restarts a process whenever it exits. Reports each new exit reason once, each recovery, and an error after three failures within 15 minutes.
 * @returns a function that stops the process, and resolves immediately if the process is waiting to be restarted.
 */
export function keepRunning<Process extends Started>({
  name,
  first,
  restart,
  report,
  failures,
}: KeepRunningOptions<Process>): () => Promise<void> {
  const { logFile } = first;
  const ending = new AbortController();
  const describe = (process: Process) => ({
    process,
    exited: process.exited.then((outcome) => `${name} ${outcome}.`),
  });
  let lastReported = "";
  const reportHealthy = async (process: Process): Promise<void> => {
    const healthy = process.healthy(ending.signal).then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([healthy, process.exited.then(() => false)]))) return;
    lastReported = "";
    report(`${name} is running again.`);
  };
  const running = supervise(describe(first), {
    restart: async () => {
      const process = await restart(ending.signal);
      void reportHealthy(process);
      return describe(process);
    },
    signal: ending.signal,
    onFailure: (reason, delayMs) => {
      failures.add(name);
      const [line = ""] = reason.split("\n");
      if (line !== lastReported)
        report(`${reason}\nRestarting ${name} in ${delayMs / 1_000} s. Its log is ${logFile}.`);
      lastReported = line;
    },
    onAlarm: (reason) =>
      report(
        `${name} failed three times within 15 minutes. The other processes keep running, and ${name} is restarted within 30 s of each exit. ` +
          `Find the cause in ${logFile}. Last failure: ${reason.split("\n")[0]}`,
        "error",
      ),
  });
  return async () => {
    ending.abort();
    await (await running)?.process.stop();
  };
}
