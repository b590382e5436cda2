export type Loop = {
  /** Ends the wait for the next run, or schedules a run right after the current one. `restMs` and the wait after a failure still apply. */
  wake(): void;
  /** Stops after the current run. */
  close(): Promise<void>;
};

export type LoopOptions = {
  /** The loop's name in the log, such as `delivery worker`. */
  name: string;
  /** The longest wait between two runs; also the wait after a failed run. */
  intervalMs: number;
  /** Minimum time between the starts of two runs; wakes in between are merged. A function is called after each run. Default 0. */
  restMs?: number | (() => number);
  /** @returns optionally, a shorter wait before the next run, in milliseconds. */
  run: () => Promise<number | undefined>;
  log: { error(fields: object, text: string): void };
};

/** Starts a loop. A failed run is logged and retried after the interval; `wake` does not start it sooner. */
export function startLoop({ name, intervalMs, restMs = 0, run, log }: LoopOptions): Loop {
  let closing = false;
  let woken = false;
  let endWait: (() => void) | undefined;

  const wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  // Ignores wakes, so that a failing or busy database is not queried continuously.
  const pauseUntil = async (time: number): Promise<void> => {
    while (!closing && performance.now() < time) await wait(time - performance.now());
  };

  const finished = (async () => {
    while (!closing) {
      const startedAt = performance.now();
      woken = false;
      try {
        const soonerMs = await run();
        await pauseUntil(startedAt + (typeof restMs === "number" ? restMs : restMs()));
        if (!woken && !closing) await wait(Math.max(0, Math.min(intervalMs, soonerMs ?? intervalMs)));
      } catch (error) {
        log.error({ err: error, loop: name }, `the ${name} failed and will be retried`);
        await pauseUntil(performance.now() + intervalMs);
      }
    }
  })();

  return {
    wake() {
      woken = true;
      endWait?.();
    },
    async close() {
      closing = true;
      endWait?.();
      await finished;
    },
  };
}
