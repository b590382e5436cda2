import type { Verdict } from "./check.js";

export const isSound = ({ counts }: Verdict): boolean => counts.size === 0;

export const describeSize = ({ operations, appends, reads, undecided }: Verdict): string =>
  `${operations} operations with ${appends} appends and ${reads} reads, of which ${undecided} balances fit several moments`;

export const describeAnomalies = ({ counts, anomalies }: Verdict): string[] =>
  [...counts].map(([name, count]) =>
    [`${count} × ${name}`, ...anomalies.filter((one) => one.name === name).map(({ text }) => text)].join(
      "\n",
    ),
  );

export const describeVerdict = (verdict: Verdict): string =>
  [
    `${isSound(verdict) ? "Strictly serializable" : "NOT strictly serializable"}: ${describeSize(verdict)}`,
    ...describeAnomalies(verdict),
  ].join("\n\n");
