import type { Result, Target } from "./figure.js";
import type { Load } from "./load.js";
import { roundToCents } from "./statistics.js";

/** Creates a row that compares two loads. Without a target, the row is informative. */
type Compared = (title: string, tillgate: Load, peer: Load, reference: string, target?: Target) => Result;

export const speedRow: Compared = (title, tillgate, peer, reference, target) => ({
  what: title,
  measured: `${Math.round(tillgate.perSecond)}/s`,
  reference: `${Math.round(peer.perSecond)}/s ${reference}`,
  value: roundToCents(tillgate.perSecond / peer.perSecond),
  ...(target && { target }),
});

export const oneCallerRow: Compared = (title, tillgate, peer, reference, target) => ({
  what: `${title}, one caller at a time`,
  measured: `${formatMilliseconds(tillgate)} ms`,
  reference: `${formatMilliseconds(peer)} ms ${reference}`,
  value: roundToCents(peer.perSecond / tillgate.perSecond),
  ...(target && { target }),
});

/** Compares group commit with individual commits. With one caller, group commit may add at most 5% latency. */
export const groupCommitRows = (
  title: string,
  load: Record<"grouped" | "ungrouped" | "aloneGrouped" | "aloneUngrouped", Load>,
): Result[] => [
  speedRow(`${title}, with group commit`, load.grouped, load.ungrouped, "without"),
  oneCallerRow(title, load.aloneGrouped, load.aloneUngrouped, "without group commit", { atMost: 1.05 }),
];

const formatMilliseconds = ({ perSecond }: Load): string => (1_000 / perSecond).toFixed(2);
