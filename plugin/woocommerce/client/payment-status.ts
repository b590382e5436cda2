const lookEveryMs = 3_000;
const lookHiddenEveryMs = 10_000;
const longestDelayMs = 30_000;

/** @returns the status of the shop's answer; null where it is none */
export function readStatus(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("status" in answer)) return null;
  return typeof answer.status === "string" ? answer.status : null;
}

/** Whether nothing more is to be waited for: the shop's return route says what comes next. */
export const isEnd = (status: string): boolean =>
  ["paid", "expired", "cancelled", "refunded", "none"].includes(status);

/**
 * The wait before the next look, in milliseconds: longer where nobody looks, and doubling while the shop does not answer.
 *
 * @param failures looks in a row without an answer
 */
export function nextDelayMs(failures: number, isHidden: boolean): number {
  const delayMs = (isHidden ? lookHiddenEveryMs : lookEveryMs) * 2 ** Math.min(failures, 10);
  return Math.min(longestDelayMs, delayMs);
}

/** `Time left: 04:05`; empty when it is over. Two digits each: a clock that gets shorter jumps. */
export function remainingText(leftMs: number, label: string): string {
  if (!(leftMs > 0)) return "";
  const seconds = Math.ceil(leftMs / 1000);
  const parts = [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, "0"));
  return `${label} ${parts.join(":")}`;
}
