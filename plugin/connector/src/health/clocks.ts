import type { CalledSystem } from "./metrics.js";

/** A difference that is worth a word, in seconds: well below the 300 s that signatures allow. */
export const CLOCK_WARNING_SECONDS = 120;

/** How far the store's and Tillgate's clocks are ahead of this machine's, in seconds; left out where not known yet. */
export type ClockDifferences = Readonly<Partial<Record<CalledSystem, number>>>;

/** Learns from the Date header of every answer how far the clocks are apart. Nothing is decided by it but a warning. */
export class ClockWatch {
  readonly #seconds = new Map<CalledSystem, number>();

  constructor(private readonly nowMs: () => number = Date.now) {}

  /** @param date the Date header of an answer that came just now */
  observe(of: CalledSystem, date: string | null): void {
    const at = date === null ? Number.NaN : Date.parse(date);
    if (!Number.isNaN(at)) this.#seconds.set(of, Math.round((at - this.nowMs()) / 1000));
  }

  differences(): ClockDifferences {
    return Object.fromEntries(this.#seconds);
  }
}

const names: Record<CalledSystem, string> = { store: "the store's clock", tillgate: "Tillgate's clock" };

/** @returns what is wrong with the clocks, in words; null where nothing is */
export function clockWarning(differences: ClockDifferences): string | null {
  const { store, tillgate } = differences;
  const isOff = (seconds: number | undefined): seconds is number =>
    seconds !== undefined && Math.abs(seconds) >= CLOCK_WARNING_SECONDS;
  if (isOff(store) && isOff(tillgate) && Math.abs(store - tillgate) < CLOCK_WARNING_SECONDS) {
    return `The clock of the connector's machine is ${distance(-store)} the store's and Tillgate's. Please set it by a time server: while it is off, events are refused as stale and come in by the sweep only.`;
  }
  const words: string[] = [];
  if (isOff(store)) {
    words.push(
      `${names.store} is ${distance(store)} the connector's: changes in the store may be seen late, and over plain http it may refuse the REST keys`,
    );
  }
  if (isOff(tillgate)) {
    words.push(
      `${names.tillgate} is ${distance(tillgate)} the connector's: its events may be refused as stale and come in by the sweep only`,
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
