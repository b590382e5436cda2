import type { Check } from "./checks.js";

/** Limit of the 95th percentile of outages, in milliseconds. */
export const OUTAGE_LIMIT_MS = 20_000;
/** How many violations of one check are printed. */
const SHOWN_FAULTS = 5;

export type Struck = { name: string; outageMs: number };
export type Outcome = {
  synchronous: boolean;
  struck: readonly Struck[];
  checks: readonly Check[];
  wishes: readonly { kind: string; count: number }[];
};

/** The smallest value that a share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

const p95 = ({ struck }: Outcome): number =>
  percentile(
    struck.map(({ outageMs }) => outageMs),
    0.95,
  );

export const isPassed = (outcome: Outcome): boolean =>
  outcome.checks.every(({ faults }) => faults.length === 0) && p95(outcome) < OUTAGE_LIMIT_MS;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** The report as text. */
export function describe(outcome: Outcome): string {
  const { synchronous, struck, checks, wishes } = outcome;
  const kinds = [...new Set(struck.map(({ name }) => name))].map((name) => {
    const outages = struck.filter((one) => one.name === name).map(({ outageMs }) => outageMs);
    return `  ${String(outages.length).padStart(3)} × ${name}: median ${seconds(percentile(outages, 0.5))}, longest ${seconds(percentile(outages, 1))}`;
  });
  return [
    `Synchronous replication ${synchronous ? "on" : "off"}: ${isPassed(outcome) ? "PASSED" : "FAILED"}`,
    `  asked for: ${wishes.map(({ kind, count }) => `${count} × ${kind}`).join(", ")}`,
    ...kinds,
    `  nothing acknowledged, p95 of ${struck.length} strikes: ${seconds(p95(outcome))} (limit ${seconds(OUTAGE_LIMIT_MS)})`,
    ...checks.flatMap(({ name, faults }) => [
      `  ${faults.length === 0 ? "holds " : "BROKEN"} ${name}`,
      ...faults.slice(0, SHOWN_FAULTS).map((fault) => `           ${fault}`),
      ...(faults.length > SHOWN_FAULTS ? [`           and ${faults.length - SHOWN_FAULTS} more`] : []),
    ]),
  ].join("\n");
}
