import type { CalledSystem } from "./metrics.js";
import { fill } from "./texts.js";

export const CLOCK_WARNING_SECONDS = 120;

/** How far the clocks of store and Tillgate are ahead of this machine's, in seconds; missing until known. */
export type ClockDifferences = Readonly<Partial<Record<CalledSystem, number>>>;

/** Measures other clocks by the Date header of each response and a monotonic clock in between, so that this machine's system clock may be wrong. */
export class ClockWatch {
  readonly #observed = new Map<CalledSystem, { atMs: number; sinceMs: number }>();

  constructor(
    private readonly systemMs: () => number = Date.now,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** @param date the Date header of a response just received */
  observe(of: CalledSystem, date: string | null): void {
    const atMs = date === null ? Number.NaN : Date.parse(date);
    if (!Number.isNaN(atMs)) this.#observed.set(of, { atMs, sinceMs: this.monotonicMs() });
  }

  /** @returns the other machine's time, in milliseconds since 1970; this machine's time until a response was received */
  nowMs(of: CalledSystem): number {
    const observed = this.#observed.get(of);
    return observed === undefined ? this.systemMs() : observed.atMs + this.monotonicMs() - observed.sinceMs;
  }

  differences(): ClockDifferences {
    const systemMs = this.systemMs();
    return Object.fromEntries(
      [...this.#observed.keys()].map((of) => [of, Math.round((this.nowMs(of) - systemMs) / 1000)]),
    );
  }
}

/** Returns a warning for the shop owner; null if no clock is off by CLOCK_WARNING_SECONDS or more. */
export function clockWarning(differences: ClockDifferences): string | null {
  const { store, tillgate } = differences;
  const isOff = (seconds: number | undefined): seconds is number =>
    seconds !== undefined && Math.abs(seconds) >= CLOCK_WARNING_SECONDS;
  const valuesOf = (seconds: number) => ({
    seconds: Math.abs(seconds),
    minutes: Math.round(Math.abs(seconds) / 60),
  });
  if (isOff(store) && isOff(tillgate) && Math.abs(store - tillgate) < CLOCK_WARNING_SECONDS) {
    return fill(
      tillgate > 0
        ? "The connector’s clock is off by {seconds} s: it is {minutes} minutes behind the shop’s and Tillgate’s. Synchronize it with a time server (NTP). Payments still work: decisions use the database’s and Tillgate’s clocks."
        : "The connector’s clock is off by {seconds} s: it is {minutes} minutes ahead of the shop’s and Tillgate’s. Synchronize it with a time server (NTP). Payments still work: decisions use the database’s and Tillgate’s clocks.",
      valuesOf(tillgate),
    );
  }
  const warnings: string[] = [];
  if (isOff(store))
    warnings.push(
      fill(
        store > 0
          ? "The shop’s clock is {minutes} minutes ahead of the connector’s ({seconds} s): over plain HTTP, the shop may reject the REST API keys."
          : "The shop’s clock is {minutes} minutes behind the connector’s ({seconds} s): over plain HTTP, the shop may reject the REST API keys.",
        valuesOf(store),
      ),
    );
  if (isOff(tillgate))
    warnings.push(
      fill(
        tillgate > 0
          ? "Tillgate’s clock is {minutes} minutes ahead of the connector’s ({seconds} s); webhooks still arrive, because they are checked against Tillgate’s clock."
          : "Tillgate’s clock is {minutes} minutes behind the connector’s ({seconds} s); webhooks still arrive, because they are checked against Tillgate’s clock.",
        valuesOf(tillgate),
      ),
    );
  if (warnings.length === 0) return null;
  return [...warnings, "Synchronize the clocks with a time server (NTP)."].join(" ");
}
