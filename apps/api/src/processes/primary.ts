import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Figures } from "../metrics/metrics.js";
import { within } from "../platform/availability.js";
import { type FromPrimary, readFromForked } from "./messages.js";

/** The pause before a process that ended is started again, doubled each time, and the longest, in milliseconds. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** After so long in service the pauses begin again with the first, in milliseconds. */
const STEADY_MS = 60_000;
/** How long the figures of all processes may take, in milliseconds. */
const FIGURES_LIMIT_MS = 5_000;

type Options = {
  count: number;
  log: Pick<Logger, "info" | "error">;
  /** Ends this process, when a forked one says that it must not run. */
  refuse: (reason: string) => void;
};

type Ended = { code: number | null; signal: string | null };

type Forked = {
  worker: Worker;
  ended: Promise<Ended>;
  /** Settles when it serves. @throws Error when it ends before. */
  up: Promise<void>;
};

/** The processes that serve HTTP beside this one. */
export type HttpProcesses = {
  /** What each counts. @throws UnavailableError when one does not say so in time. */
  figures(): Promise<Figures[]>;
  stop(): Promise<void>;
};

/**
 * Forks the processes that serve HTTP on one port, which this process hands connections to in turn. The first one starts alone. One
 * that ends is started again, also while others start.
 * @returns when all serve.
 * @throws Error when the first one ends before it serves.
 */
export async function startHttpProcesses({ count, log, refuse }: Options): Promise<HttpProcesses> {
  const stopping = new AbortController();
  const running = new Set<Forked>();
  /** Who waits for the figures of a process, by its number and the question's. */
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
    // Only the start waits for it.
    up.catch(() => undefined);
    const forked = { worker, ended, up };
    running.add(forked);
    void ended.then(() => running.delete(forked));
    return forked;
  };

  /** Asks one for its figures. @throws UnavailableError when it does not give them in time. */
  const figuresOf = async (worker: Worker, id: number): Promise<Figures> => {
    const name = `${worker.id} ${id}`;
    const given = new Promise<Figures>((resolve) => asked.set(name, resolve));
    const question: FromPrimary = { tillgate: "figures", id };
    worker.send(question, () => undefined);
    return within(given, FIGURES_LIMIT_MS).finally(() => asked.delete(name));
  };

  /** Starts it again whenever it ends. @returns when it, or the process that replaces it, serves. */
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

  // One goes ahead: what keeps one from serving keeps all, and is said once.
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
