import type { Result, Target } from "./figure.js";
import type { Load } from "./load.js";
import { rounded } from "./statistics.js";

/** A row of two loads; without a target it is only measured. */
type Compared = (what: string, ours: Load, theirs: Load, reference: string, target?: Target) => Result;

/** How many calls a second, against how many of the reference. */
export const speedRow: Compared = (what, ours, theirs, reference, target) => ({
  what,
  measured: `${Math.round(ours.perSecond)}/s`,
  reference: `${Math.round(theirs.perSecond)}/s ${reference}`,
  value: rounded(ours.perSecond / theirs.perSecond),
  ...(target && { target }),
});

/** How long a call takes when nobody else calls, against something else. */
export const oneCallerRow: Compared = (what, ours, theirs, reference, target) => ({
  what: `${what}, one caller at a time`,
  measured: `${milliseconds(ours)} ms`,
  reference: `${milliseconds(theirs)} ms ${reference}`,
  value: rounded(theirs.perSecond / ours.perSecond),
  ...(target && { target }),
});

/** Sides with sets and without: what many calls win by them, and that one caller loses nothing. */
export const setRows = (
  what: string,
  load: Record<"inSets" | "singly" | "aloneInSets" | "aloneSingly", Load>,
): Result[] => [
  speedRow(`${what}, in sets`, load.inSets, load.singly, "singly"),
  oneCallerRow(what, load.aloneInSets, load.aloneSingly, "without sets", { atMost: 1.05 }),
];

/** Of one caller, who waits for each answer before the next call. */
const milliseconds = ({ perSecond }: Load): string => (1_000 / perSecond).toFixed(2);
