import { type Finding, mend, mind, ok } from "./finding.js";

/** The `Date` header has whole seconds, and an answer takes a while. */
const UNNOTICEABLE_SECONDS = 30;
/** Signatures older or newer than this are refused. */
const TOLERANCE_SECONDS = 300;

/** Whether another machine's clock agrees with ours. @param date the `Date` header of its answer */
export function checkClock(whose: string, date: Date | null, nowMs: number): Finding {
  if (date === null) {
    return mind(
      `${whose} does not say what time it has.`,
      `Compare its clock with this machine's by hand; more than ${TOLERANCE_SECONDS / 60} minutes apart, webhooks are refused.`,
    );
  }
  const seconds = Math.round((nowMs - date.getTime()) / 1000);
  const words = `${whose}'s clock is ${durationOf(Math.abs(seconds))} ${seconds > 0 ? "behind" : "ahead of"} this machine's`;
  if (Math.abs(seconds) <= UNNOTICEABLE_SECONDS) return ok(`${whose}'s clock and this machine's agree.`);
  const how = "Find out which clock is wrong and have it set by NTP (timedatectl set-ntp true).";
  if (Math.abs(seconds) <= TOLERANCE_SECONDS) return mind(`${words}.`, how);
  return mend(`${words}: signed webhooks are refused as too old.`, how);
}

const durationOf = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
