/** One thing that the connection test looked at; `ok` is null while it looks. */
export type Finding = {
  ok: boolean | null;
  text: string;
};

/** @returns the findings of the server's answer; null where it is none */
export function readFindings(answer: unknown): Finding[] | null {
  if (typeof answer !== "object" || answer === null || !("data" in answer)) return null;
  if (!Array.isArray(answer.data)) return null;
  const findings: Finding[] = [];
  for (const one of answer.data) {
    const isFinding =
      typeof one === "object" && one !== null && typeof one.ok === "boolean" && typeof one.text === "string";
    if (!isFinding) return null;
    findings.push({ ok: one.ok, text: one.text });
  }
  return findings;
}
