import type { CalledSystem } from "./metrics.js";

/** A difference that is worth a word, in seconds. */
export const CLOCK_WARNING_SECONDS = 120;

/** How far the store's and Tillgate's clocks are ahead of this machine's, in seconds; left out where not known yet. */
export type ClockDifferences = Readonly<Partial<Record<CalledSystem, number>>>;

/**
 * Learns the time of the other machine from the Date header of every answer. Between two answers time goes on by a
 * monotonic clock, so this machine's own clock may be wrong, or be corrected, at any moment.
 */
export class ClockWatch {
  readonly #seen = new Map<CalledSystem, { atMs: number; sinceMs: number }>();

  constructor(
    private readonly ownMs: () => number = Date.now,
    private readonly steadyMs: () => number = () => performance.now(),
  ) {}

  /** @param date the Date header of an answer that came just now */
  observe(of: CalledSystem, date: string | null): void {
    const atMs = date === null ? Number.NaN : Date.parse(date);
    if (!Number.isNaN(atMs)) this.#seen.set(of, { atMs, sinceMs: this.steadyMs() });
  }

  /** What time it is there, in milliseconds since 1970; this machine's own time where nothing was heard yet. */
  nowMs(of: CalledSystem): number {
    const seen = this.#seen.get(of);
    return seen === undefined ? this.ownMs() : seen.atMs + this.steadyMs() - seen.sinceMs;
  }

  differences(): ClockDifferences {
    const ownMs = this.ownMs();
    return Object.fromEntries(
      [...this.#seen.keys()].map((of) => [of, Math.round((this.nowMs(of) - ownMs) / 1000)]),
    );
  }
}

const names: Record<CalledSystem, string> = { store: "the store's clock", tillgate: "Tillgate's clock" };

/** @returns what is wrong with the clocks, in words; null where nothing is */
export function clockWarning(differences: ClockDifferences): string | null {
  const { store, tillgate } = differences;
  const isOff = (seconds: number | undefined): seconds is number =>
    seconds !== undefined && Math.abs(seconds) >= CLOCK_WARNING_SECONDS;
  if (isOff(store) && isOff(tillgate) && Math.abs(store - tillgate) < CLOCK_WARNING_SECONDS) {
    return `The connector's clock is off by ${Math.abs(tillgate)} s: it is ${distance(-tillgate)} the store's and Tillgate's. Please set it by a time server. Payments come in meanwhile: what is decided by a time goes by the database's and by Tillgate's.`;
  }
  const words: string[] = [];
  if (isOff(store)) {
    words.push(
      `${names.store} is ${distance(store)} the connector's, one of them is off by ${Math.abs(store)} s: over plain http the store may refuse the REST keys`,
    );
  }
  if (isOff(tillgate)) {
    words.push(
      `${names.tillgate} is ${distance(tillgate)} the connector's, one of them is off by ${Math.abs(tillgate)} s; events are judged by Tillgate's and come in all the same`,
    );
  }
  if (words.length === 0) return null;
  const text = words.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. Please set the clocks by a time server.`;
}

function distance(seconds: number): string {
  const size = Math.abs(seconds);
  const amount = size < 120 ? `${size} seconds` : `${Math.round(size / 60)} minutes`;
  return `${amount} ${seconds > 0 ? "ahead of" : "behind"}`;
}
