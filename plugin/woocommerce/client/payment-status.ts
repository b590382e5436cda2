const POLL_INTERVAL_MS = 3_000;
const HIDDEN_POLL_INTERVAL_MS = 10_000;
const MAX_DELAY_MS = 30_000;

/** Returns null if the response is invalid. */
export function readStatus(response: unknown): string | null {
  if (typeof response !== "object" || response === null || !("status" in response)) return null;
  return typeof response.status === "string" ? response.status : null;
}

/** Whether polling can stop, because the return URL shows the outcome. */
export const isFinalStatus = (status: string): boolean =>
  ["paid", "expired", "cancelled", "refunded", "none"].includes(status);

/** Returns a longer delay on hidden pages, and backs off exponentially after failures. @param failures consecutive failed polls */
export function nextDelayMs(failures: number, isHidden: boolean): number {
  const delayMs = (isHidden ? HIDDEN_POLL_INTERVAL_MS : POLL_INTERVAL_MS) * 2 ** Math.min(failures, 10);
  return Math.min(MAX_DELAY_MS, delayMs);
}

/** Returns text such as `Time left: 04:05`; empty after expiry. */
export function remainingText(leftMs: number, label: string): string {
  if (!(leftMs > 0)) return "";
  const seconds = Math.ceil(leftMs / 1000);
  const parts = [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, "0"));
  return `${label} ${parts.join(":")}`;
}
