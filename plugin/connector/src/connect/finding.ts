/** The result of one check of the set-up. */
export type Finding = {
  /** `ok`; `mend`: payments will not work before it is fixed; `mind`: they work, but somebody should look. */
  state: "ok" | "mend" | "mind";
  /** What was found, in a sentence. */
  text: string;
  /** What to do about it. */
  mend?: string;
};

export const ok = (text: string): Finding => ({ state: "ok", text });
export const fix = (text: string, how: string): Finding => ({ state: "mend", text, mend: how });
export const warn = (text: string, how: string): Finding => ({ state: "mind", text, mend: how });

const marks = { ok: "✓", mend: "✗", mind: "!" } as const;

/** The findings as lines for people, and their overall result. */
export function reportOf(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ state, text, mend: how }) => [
    `${marks[state]} ${text}`,
    ...(how === undefined ? [] : [`    → ${how}`]),
  ]);
  const broken = findings.filter(({ state }) => state === "mend").length;
  const end = broken === 0 ? "Everything needed is in place." : `${broken} to mend, then run this again.`;
  return `${[...lines, "", end].join("\n")}\n`;
}

/** The `Date` header has whole seconds, and an answer takes a while. */
const UNNOTICEABLE_SECONDS = 30;
/** Signatures older or newer than this are refused. */
const TOLERANCE_SECONDS = 300;

/** Whether another machine's clock agrees with ours. @param date the `Date` header of its answer */
export function checkClock(whose: string, date: Date | null, nowMs: number): Finding {
  if (date === null) {
    return warn(
      `${whose} does not say what time it has.`,
      `Compare its clock with this machine's by hand; more than ${TOLERANCE_SECONDS / 60} minutes apart, webhooks are refused.`,
    );
  }
  const seconds = Math.round((nowMs - date.getTime()) / 1000);
  const words = `${whose}'s clock is ${durationOf(Math.abs(seconds))} ${seconds > 0 ? "behind" : "ahead of"} this machine's`;
  if (Math.abs(seconds) <= UNNOTICEABLE_SECONDS) return ok(`${whose}'s clock and this machine's agree.`);
  const how = "Find out which clock is wrong and have it set by NTP (timedatectl set-ntp true).";
  if (Math.abs(seconds) <= TOLERANCE_SECONDS) return warn(`${words}.`, how);
  return fix(`${words}: signed webhooks are refused as too old.`, how);
}

const durationOf = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
