import cluster, { type Worker } from "node:cluster";
import { supervise } from "@tillgate/service";
import type { Logger } from "pino";
import type { ProcessMetrics } from "../metrics/metrics.js";
import { withTimeLimit } from "../platform/availability.js";
import { type FromPrimary, readFromForked } from "./messages.js";

const METRICS_LIMIT_MS = 5_000;

type Options = {
  count: number;
  log: Pick<Logger, "info" | "error">;
  /** Ends this process if a forked process reports that the API must not run. */
  exitWith: (reason: string) => void;
  /** Called when a forked process ended unexpectedly. */
  onFailure: () => void;
};

type Ended = { code: number | null; signal: string | null };

type Forked = {
  worker: Worker;
  ended: Promise<Ended>;
  /** Resolves when the process serves requests. @throws Error if it ends before that. */
  ready: Promise<void>;
};

export type HttpProcesses = {
  /** @throws UnavailableError if a process does not report in time. */
  figures(): Promise<ProcessMetrics[]>;
  stop(): Promise<void>;
};

/** Starts the HTTP processes, and resolves once all serve requests. @throws Error if the first process exits before it serves requests. */
export async function startHttpProcesses({
  count,
  log,
  exitWith,
  onFailure,
}: Options): Promise<HttpProcesses> {
  const stopping = new AbortController();
  const running = new Set<Forked>();
  /** Pending metrics requests, by process and request number. */
  const pending = new Map<string, (figures: ProcessMetrics) => void>();
  let requestCount = 0;

  const fork = (): Forked => {
    const worker = cluster.fork();
    const ended = new Promise<Ended>((resolve) => {
      worker.once("exit", (code, signal) => resolve({ code, signal }));
      worker.on("error", (error) => {
        log.error({ err: error }, "could not start or communicate with an HTTP process");
        if (worker.process.pid === undefined) resolve({ code: null, signal: null });
      });
    });
    const ready = new Promise<void>((resolve, reject) => {
      worker.on("message", (message: unknown) => {
        const received = readFromForked(message);
        if (received?.tillgate === "up") resolve();
        else if (received?.tillgate === "rejected") exitWith(received.reason);
        else if (received?.tillgate === "figures")
          pending.get(`${worker.id} ${received.id}`)?.(received.figures);
      });
      void ended.then((how) => reject(new Error(`an HTTP process ended: ${describeExit(how)}`)));
    });
    // Only the start awaits this promise; a later rejection is ignored.
    ready.catch(() => undefined);
    const forked = { worker, ended, ready };
    running.add(forked);
    void ended.then(() => running.delete(forked));
    return forked;
  };

  const requestMetrics = async (worker: Worker, id: number): Promise<ProcessMetrics> => {
    const name = `${worker.id} ${id}`;
    const received = new Promise<ProcessMetrics>((resolve) => pending.set(name, resolve));
    const message: FromPrimary = { tillgate: "figures", id };
    worker.send(message, () => undefined);
    return withTimeLimit(received, METRICS_LIMIT_MS).finally(() => pending.delete(name));
  };

  /** Restarts a process that exits. The promise resolves when the process or its replacement serves requests. */
  const keepRunning = (first: Forked): Promise<void> =>
    new Promise((resolve) => {
      const watch = (forked: Forked) => {
        void forked.ready.then(resolve, () => undefined);
        return { exited: forked.ended.then((how) => `${forked.worker.process.pid}: ${describeExit(how)}`) };
      };
      void supervise(watch(first), {
        restart: async () => watch(fork()),
        signal: stopping.signal,
        onFailure: (ended, delayMs) => {
          onFailure();
          log.error({ event: "http_process_ended", ended, delayMs }, "an HTTP process ended; restarting it");
        },
        onAlarm: (ended) =>
          log.error(
            { event: "http_process_failing", ended },
            "an HTTP process failed three times within 15 minutes and is being restarted; see the errors above and fix the cause",
          ),
      });
    });

  // One process starts ahead, because an error that stops one process stops all of them, and should be logged only once.
  const first = fork();
  await first.ready;
  const all = [first, ...Array.from({ length: count - 1 }, fork)];
  await Promise.all(all.map((forked) => keepRunning(forked)));

  return {
    figures() {
      requestCount += 1;
      const id = requestCount;
      return Promise.all([...running].map(({ worker }) => requestMetrics(worker, id)));
    },
    async stop() {
      stopping.abort();
      for (const { worker } of running) worker.process.kill("SIGTERM");
      const ends = await Promise.all([...running].map(({ ended }) => ended));
      const cut = ends.find(({ code, signal }) => code !== 0 && signal !== "SIGTERM");
      if (cut) throw new Error(`an HTTP process ended: ${describeExit(cut)}`);
    },
  };
}

function describeExit({ code, signal }: Ended): string {
  if (signal !== null) return `signal ${signal}`;
  return code === null ? "could not be started" : `exit code ${code}`;
}
