import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Figures } from "../metrics/metrics.js";
import { within } from "../platform/availability.js";
import { type FromPrimary, readFromForked } from "./messages.js";

/** First and longest delay before a process is restarted, doubled each time, in milliseconds. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Uptime after which the delay starts over, in milliseconds. */
const STEADY_MS = 60_000;
/** Time limit for collecting all processes' metrics, in milliseconds. */
const FIGURES_LIMIT_MS = 5_000;

type Options = {
  count: number;
  log: Pick<Logger, "info" | "error">;
  /** Ends this process if a forked one reports that it must not run. */
  refuse: (reason: string) => void;
};

type Ended = { code: number | null; signal: string | null };

type Forked = {
  worker: Worker;
  ended: Promise<Ended>;
  /** Resolves when it serves. @throws Error if it ends before. */
  up: Promise<void>;
};

/** The forked HTTP processes. */
export type HttpProcesses = {
  /** Metrics of each. @throws UnavailableError if one does not report in time. */
  figures(): Promise<Figures[]>;
  stop(): Promise<void>;
};

/**
 * Forks the HTTP processes on one port; this process hands them connections in turn. The first one starts alone. A process that ends is
 * restarted, even while others start.
 * @returns when all serve.
 * @throws Error if the first one ends before it serves.
 */
export async function startHttpProcesses({ count, log, refuse }: Options): Promise<HttpProcesses> {
  const stopping = new AbortController();
  const running = new Set<Forked>();
  /** Pending metrics requests, by process and request number. */
  const asked = new Map<string, (figures: Figures) => void>();
  let questions = 0;

  const fork = (): Forked => {
    const worker = cluster.fork();
    const ended = new Promise<Ended>((resolve) => {
      worker.once("exit", (code, signal) => resolve({ code, signal }));
      worker.on("error", (error) => {
        log.error({ err: error }, "a process that serves HTTP cannot be started or reached");
        if (worker.process.pid === undefined) resolve({ code: null, signal: null });
      });
    });
    const up = new Promise<void>((resolve, reject) => {
      worker.on("message", (message: unknown) => {
        const told = readFromForked(message);
        if (told?.tillgate === "up") resolve();
        else if (told?.tillgate === "refused") refuse(told.reason);
        else if (told?.tillgate === "figures") asked.get(`${worker.id} ${told.id}`)?.(told.figures);
      });
      void ended.then((how) =>
        reject(new Error(`a process that serves HTTP ended with ${describeExit(how)}`)),
      );
    });
    // Only the start awaits it.
    up.catch(() => undefined);
    const forked = { worker, ended, up };
    running.add(forked);
    void ended.then(() => running.delete(forked));
    return forked;
  };

  /** Requests a process's metrics. @throws UnavailableError if it does not respond in time. */
  const figuresOf = async (worker: Worker, id: number): Promise<Figures> => {
    const name = `${worker.id} ${id}`;
    const given = new Promise<Figures>((resolve) => asked.set(name, resolve));
    const question: FromPrimary = { tillgate: "figures", id };
    worker.send(question, () => undefined);
    return within(given, FIGURES_LIMIT_MS).finally(() => asked.delete(name));
  };

  /** Restarts it whenever it ends. @returns when it, or its replacement, serves. */
  const keep = (forked: Forked, pauseMs = FIRST_PAUSE_MS): Promise<void> => {
    const replaced = replaceAfterEnd(forked, pauseMs);
    return forked.up.catch(() => replaced);
  };
  const replaceAfterEnd = async (forked: Forked, pauseMs: number): Promise<void> => {
    const startedAt = performance.now();
    const how = await forked.ended;
    if (stopping.signal.aborted) return;
    const pause = performance.now() - startedAt > STEADY_MS ? FIRST_PAUSE_MS : pauseMs;
    log.error(
      { event: "http_process_ended", ended: forked.worker.process.pid, ...how, pauseMs: pause },
      "a process that serves HTTP ended and is started again",
    );
    await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (!stopping.signal.aborted) await keep(fork(), Math.min(pause * 2, LONGEST_PAUSE_MS));
  };

  // One starts ahead: what stops one stops all, and is logged once.
  const first = fork();
  await first.up;
  const all = [first, ...Array.from({ length: count - 1 }, fork)];
  await Promise.all(all.map((forked) => keep(forked)));

  return {
    figures() {
      questions += 1;
      const id = questions;
      return Promise.all([...running].map(({ worker }) => figuresOf(worker, id)));
    },
    async stop() {
      stopping.abort();
      for (const { worker } of running) worker.process.kill("SIGTERM");
      const ends = await Promise.all([...running].map(({ ended }) => ended));
      const cut = ends.find(({ code, signal }) => code !== 0 && signal !== "SIGTERM");
      if (cut) throw new Error(`a process that serves HTTP ended with ${describeExit(cut)}`);
    },
  };
}

const describeExit = ({ code, signal }: Ended): string => signal ?? `code ${code}`;
