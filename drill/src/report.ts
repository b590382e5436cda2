import type { Check } from "./checks.js";

export const OUTAGE_LIMIT_MS = 20_000;
const SHOWN_VIOLATIONS = 5;

export type InjectedFault = {
  name: string;
  outageMs: number;
  /** Operations recorded for the history, from the recovery of the previous fault to the recovery of this fault. */
  recorded: number;
};
export type Outcome = {
  synchronous: boolean;
  injected: readonly InjectedFault[];
  checks: readonly Check[];
  operations: readonly { kind: string; count: number }[];
};

/** Returns a percentile by nearest rank; 0 if there are no values. @param share such as 0.5 for the median. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((value, other) => value - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

const findLongest = ({ injected }: Outcome): number => Math.max(...injected.map(({ outageMs }) => outageMs));

export const isPassed = (outcome: Outcome): boolean =>
  outcome.checks.every(({ violations }) => violations.length === 0) && findLongest(outcome) < OUTAGE_LIMIT_MS;

const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export function describeOutcome(outcome: Outcome): string {
  const { synchronous, injected, checks, operations } = outcome;
  const kinds = [...new Set(injected.map(({ name }) => name))].map((name) => {
    const faults = injected.filter((item) => item.name === name);
    const outages = faults.map(({ outageMs }) => outageMs);
    const recorded = faults.reduce((sum, fault) => sum + fault.recorded, 0);
    return `  ${String(outages.length).padStart(3)} × ${name}: median ${formatSeconds(percentile(outages, 0.5))}, longest ${formatSeconds(percentile(outages, 1))}, ${recorded} operations recorded`;
  });
  return [
    `Synchronous replication ${synchronous ? "on" : "off"}: ${isPassed(outcome) ? "PASSED" : "FAILED"}`,
    `  calls: ${operations.map(({ kind, count }) => `${count} × ${kind}`).join(", ")}`,
    ...kinds,
    `  time without an acknowledgement, longest of ${injected.length} faults: ${formatSeconds(findLongest(outcome))} (limit ${formatSeconds(OUTAGE_LIMIT_MS)})`,
    ...checks.flatMap(({ name, violations }) => [
      `  ${violations.length === 0 ? "holds " : "BROKEN"} ${name}`,
      ...violations.slice(0, SHOWN_VIOLATIONS).map((violation) => violation.replaceAll(/^/gm, "           ")),
      ...(violations.length > SHOWN_VIOLATIONS
        ? [`           and ${violations.length - SHOWN_VIOLATIONS} more`]
        : []),
    ]),
  ].join("\n");
}
