import type { Result, Target } from "./figure.js";
import type { Load } from "./load.js";
import { rounded } from "./statistics.js";

/** Compares two loads; without a target the row is informative. */
type Compared = (what: string, ours: Load, theirs: Load, reference: string, target?: Target) => Result;

/** Calls per second compared with the reference. */
export const speedRow: Compared = (what, ours, theirs, reference, target) => ({
  what,
  measured: `${Math.round(ours.perSecond)}/s`,
  reference: `${Math.round(theirs.perSecond)}/s ${reference}`,
  value: rounded(ours.perSecond / theirs.perSecond),
  ...(target && { target }),
});

/** Latency of a single caller compared with a reference. */
export const oneCallerRow: Compared = (what, ours, theirs, reference, target) => ({
  what: `${what}, one caller at a time`,
  measured: `${milliseconds(ours)} ms`,
  reference: `${milliseconds(theirs)} ms ${reference}`,
  value: rounded(theirs.perSecond / ours.perSecond),
  ...(target && { target }),
});

/** Compares group commit with single commits: many callers gain, and a single caller loses nothing. */
export const groupCommitRows = (
  what: string,
  load: Record<"grouped" | "ungrouped" | "aloneGrouped" | "aloneUngrouped", Load>,
): Result[] => [
  speedRow(`${what}, with group commit`, load.grouped, load.ungrouped, "without"),
  oneCallerRow(what, load.aloneGrouped, load.aloneUngrouped, "without group commit", { atMost: 1.05 }),
];

/** Latency of one caller, which waits for each response before the next call. */
const milliseconds = ({ perSecond }: Load): string => (1_000 / perSecond).toFixed(2);
