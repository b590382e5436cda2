/** Returns a percentile, which is always one of the values. @param share from 0 to 1. @throws Error if there are no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (found === undefined) throw new Error("A percentile needs at least one value.");
  return found;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const roundToCents = (value: number): number => Math.round(value * 100) / 100;
