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

export function reaches({ value, target }: Pick<Result, "value" | "target">): boolean {
  if (target === undefined) return true;
  if ("atLeast" in target) return value >= target.atLeast;
  return "below" in target ? value < target.below : value <= target.atMost;
}

export function describeTarget(target: Target | undefined): string {
  if (target === undefined) return "none";
  if ("atLeast" in target) return `>= ${target.atLeast}`;
  return "below" in target ? `< ${target.below}` : `<= ${target.atMost}`;
}

/** A row for a person: verdict, value, target, what was measured, and against what. */
export function describeResult(result: Result): string {
  const { what, measured, reference, value, target } = result;
  const verdict = target === undefined ? "measured" : reaches(result) ? "reached " : "MISSED  ";
  const against = reference === "" ? "" : ` against ${reference}`;
  return `${verdict}  ${what}: ${value} (target: ${describeTarget(target)}); ${measured}${against}`;
}
