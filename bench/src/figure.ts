import type { System } from "./system.js";

export type Result = {
  what: string;
  /** Measured value for display, such as `5120 requests/s`. */
  measured: string;
  /** Reference value for display; empty if the target is absolute. */
  reference: string;
  /** The value that the target applies to, such as a ratio, milliseconds or kilobytes. */
  value: number;
  /** Without a target, the row is informative. */
  target?: Target;
};

export type Target = { atLeast: number } | { below: number } | { atMost: number };

export type Figure = {
  name: string;
  measure(system: System): Promise<Result[]>;
};

function reaches({ value, target }: Pick<Result, "value" | "target">): boolean {
  if (target === undefined) return true;
  if ("atLeast" in target) return value >= target.atLeast;
  return "below" in target ? value < target.below : value <= target.atMost;
}

export function describeTarget(target: Target | undefined): string {
  if (target === undefined) return "none";
  if ("atLeast" in target) return `>= ${target.atLeast}`;
  return "below" in target ? `< ${target.below}` : `<= ${target.atMost}`;
}

export type Verdict = "measured" | "not judged" | "reached" | "MISSED";

/** Compares a row with its target. @param isJudged false for a run that is too short for a verdict on its values. */
export function judge(result: Pick<Result, "value" | "target">, isJudged: boolean): Verdict {
  if (result.target === undefined) return "measured";
  if (!isJudged) return "not judged";
  return reaches(result) ? "reached" : "MISSED";
}

export function describeResult(result: Result, verdict: Verdict): string {
  const { what, measured, reference, value, target } = result;
  const comparedWith = reference === "" ? "" : ` against ${reference}`;
  return `${verdict.padEnd(10)}  ${what}: ${value} (target: ${describeTarget(target)}); ${measured}${comparedWith}`;
}
