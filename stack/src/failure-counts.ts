import type { ServiceProcess } from "./service-process.js";

/** Counts failures of supervised processes since the start. */
export type FailureCounts = {
  add(process: string): void;
  /** Sends the counts now and after each failure. The receiver reports them as metrics. */
  sendTo(receiver: Pick<ServiceProcess, "send">): void;
};

/** @param processes all supervised processes, so that each is reported even before its first failure. */
export function createFailureCounts(processes: readonly string[]): FailureCounts {
  const failures = new Map(processes.map((name) => [name, 0]));
  let receiver: Pick<ServiceProcess, "send"> | undefined;
  const send = (): void => receiver?.send({ tillgate: "failures", failures: Object.fromEntries(failures) });
  return {
    add(process) {
      failures.set(process, (failures.get(process) ?? 0) + 1);
      send();
    },
    sendTo(next) {
      receiver = next;
      send();
    },
  };
}
