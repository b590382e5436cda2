import type { Logger } from "pino";

/** Something that is done again and again until it is closed. */
export type Loop = {
  /** Runs again at once, or right after the run that is under way. */
  wake(): void;
  /** Ends after the run that is under way. */
  close(): Promise<void>;
};

type LoopOptions = {
  /** For the log, such as `relay`. */
  name: string;
  /** The longest wait between two runs, in milliseconds; also the wait after a failed run. */
  intervalMs: number;
  /** Does the work. It may answer a shorter wait before the next run, in milliseconds. */
  run: () => Promise<number | undefined>;
  log: Pick<Logger, "error">;
};

/** Starts a loop. A run that throws is logged and tried again after the interval, wakes or not. */
export function startLoop({ name, intervalMs, run, log }: LoopOptions): Loop {
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

  const finished = (async () => {
    while (!closing) {
      woken = false;
      try {
        const soonerMs = await run();
        if (!woken && !closing) await wait(Math.max(0, Math.min(intervalMs, soonerMs ?? intervalMs)));
      } catch (error) {
        log.error({ err: error, loop: name }, `the ${name} failed and will be tried again`);
        // Wakes do not count here: a broken database must not be asked in a tight circle.
        const again = Date.now() + intervalMs;
        while (!closing && Date.now() < again) await wait(again - Date.now());
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
