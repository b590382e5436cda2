import { readFileSync } from "node:fs";
import type { Result } from "./figure.js";

/** Maximum decrease of a row from its baseline, as a fraction. Load on the machine causes smaller changes. */
const MAX_FALL = 0.2;

/** Only rows that are stable on a busy machine and in a short run have a baseline. */
const BASELINE: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL("../baseline.json", import.meta.url), "utf8"),
);

/** Returns whether a row is more than {@link MAX_FALL} below its baseline or could not be measured (NaN); false if it has no baseline. */
export function isBelowBaseline(
  { what, value }: Pick<Result, "what" | "value">,
  baseline = BASELINE,
): boolean {
  const known = baseline[what];
  // Written so that NaN counts as below.
  return known !== undefined && !(value >= known * (1 - MAX_FALL));
}
