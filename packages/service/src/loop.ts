/** Something that is repeated until it is closed. */
export type Loop = {
  /** Runs again at once, or right after the run that is under way. */
  wake(): void;
  /** Ends after the run that is under way. */
  close(): Promise<void>;
};

export type LoopOptions = {
  /** For the log, such as `delivery worker`. */
  name: string;
  /** The longest wait between two runs, in milliseconds; also the wait after a failed run. */
  intervalMs: number;
  /**
   * The shortest time between the starts of two runs, in milliseconds: all wakes in between make one run. A function is
   * called after each run. Default 0.
   */
  restMs?: number | (() => number);
  /** Does the work. It may answer a shorter wait before the next run, in milliseconds. */
  run: () => Promise<number | undefined>;
  log: { error(fields: object, text: string): void };
};

/** Starts a loop. A run that throws is logged and tried again after the interval, wakes or not. */
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

  // Wakes do not count here: a broken database must not be asked without a pause, nor a busy one for each change.
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
        log.error({ err: error, loop: name }, `the ${name} failed and will be tried again`);
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
