export type Finding = {
  /** `error`: must be fixed; the command exits with status 1. `warning`: should be checked, but does not make the command fail. */
  state: "ok" | "error" | "warning";
  text: string;
  remedy?: string;
};

export const ok = (text: string): Finding => ({ state: "ok", text });
export const fail = (text: string, remedy: string): Finding => ({ state: "error", text, remedy });
export const warn = (text: string, remedy: string): Finding => ({ state: "warning", text, remedy });

const marks = { ok: "✓", error: "✗", warning: "!" } as const;

export function formatReport(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ state, text, remedy }) => [
    `${marks[state]} ${text}`,
    ...(remedy === undefined ? [] : [`    → ${remedy}`]),
  ]);
  const errors = findings.filter(({ state }) => state === "error").length;
  const problems = errors === 1 ? "1 problem" : `${errors} problems`;
  const passed = findings.some(({ state }) => state === "warning")
    ? "No errors, but check the warnings above."
    : "All checks passed.";
  const result = errors === 0 ? passed : `Fix ${problems}, then run this command again.`;
  return `${[...lines, "", result].join("\n")}\n`;
}

/** The `Date` header has whole seconds, and a response takes time. */
const NEGLIGIBLE_SECONDS = 30;

/**
 * Compares another machine's clock with this machine's. A difference is only a warning, because Tillgate's clock determines the age of
 * signatures.
 * @param date the other machine's `Date` header
 */
export function checkClock(name: string, date: Date | null, nowMs: number): Finding {
  if (date === null) {
    return warn(`${name} doesn't report its time.`, "Compare its clock with this machine's.");
  }
  const seconds = Math.round((nowMs - date.getTime()) / 1000);
  const difference = `${name}'s clock is ${formatDuration(Math.abs(seconds))} ${seconds > 0 ? "behind" : "ahead of"} this machine's`;
  if (Math.abs(seconds) <= NEGLIGIBLE_SECONDS) return ok(`${name}'s clock matches this machine's.`);
  return warn(
    `${difference}.`,
    "Find out which clock is wrong and synchronize it with NTP (timedatectl set-ntp true).",
  );
}

const formatDuration = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
