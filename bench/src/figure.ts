import type { System } from "./system.js";

/** One line of the result: what was measured, against what, and whether the ratio reaches its target. */
export type Result = {
  what: string;
  /** As a person reads it: `5120 requests/s`. */
  measured: string;
  /** As a person reads it; empty where the target is an absolute one. */
  reference: string;
  /** What the target is about: a ratio, milliseconds, kilobytes. */
  value: number;
  /** Nothing to reach: the row only says what was measured. */
  target?: Target;
};

export type Target = { atLeast: number } | { below: number } | { atMost: number };

/** A figure measures one part of the product; the system is running and nobody else uses it. */
export type Figure = {
  /** The word on the command line. */
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

/** @param judged false where the run was too short for its values to mean anything. */
export function verdictOn(result: Pick<Result, "value" | "target">, judged: boolean): Verdict {
  if (result.target === undefined) return "measured";
  if (!judged) return "not judged";
  return reaches(result) ? "reached" : "MISSED";
}

/** A row for a person: verdict, value, target, what was measured, and against what. */
export function describeResult(result: Result, verdict: Verdict): string {
  const { what, measured, reference, value, target } = result;
  const against = reference === "" ? "" : ` against ${reference}`;
  return `${verdict.padEnd(10)}  ${what}: ${value} (target: ${describeTarget(target)}); ${measured}${against}`;
}
