import { readFileSync } from "node:fs";
import type { Result } from "./figure.js";

/** How far below its baseline a row may fall, as a part of it: more than a busy machine changes it. */
const MAX_FALL = 0.2;

/** What rows were, by what they measure. Only rows that hold on a busy machine and in a short run have one. */
const BASELINE: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL("../baseline.json", import.meta.url), "utf8"),
);

/** Whether a row is so far below its baseline that something became slower. */
export function fellBelow({ what, value }: Pick<Result, "what" | "value">, baseline = BASELINE): boolean {
  const known = baseline[what];
  // Written so that a value that is not a number has fallen.
  return known !== undefined && !(value >= known * (1 - MAX_FALL));
}
