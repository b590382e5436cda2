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
export const mend = (text: string, how: string): Finding => ({ state: "mend", text, mend: how });
export const mind = (text: string, how: string): Finding => ({ state: "mind", text, mend: how });

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
