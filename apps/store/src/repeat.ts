import type { Logger } from "pino";

export interface Repetition {
  /** Ends it; what is under way is finished. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  /** What it is, for the log. */
  name: string;
  /** Milliseconds between two rounds. */
  everyMs: number;
  /** One round; true when there is more to do at once. */
  round: () => Promise<boolean>;
  logger: Logger;
}

/** Does something again and again, one round at a time. A round that fails is logged, and the next one comes. */
export function repeat({ name, everyMs, round, logger }: RepeatOptions): Repetition {
  const controller = new AbortController();
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      if (controller.signal.aborted) return resolve();
      const timer = setTimeout(done, everyMs);
      function done(): void {
        clearTimeout(timer);
        controller.signal.removeEventListener("abort", done);
        resolve();
      }
      controller.signal.addEventListener("abort", done);
      return undefined;
    });
  const work = async (): Promise<void> => {
    while (!controller.signal.aborted) {
      let more = false;
      try {
        more = await round();
      } catch (error) {
        logger.error({ err: error }, `${name} failed this time`);
      }
      if (!more) await rest();
    }
  };
  const finished = work();
  return {
    stop: () => {
      controller.abort();
      return finished;
    },
  };
}
