/** `ok` is null while the test runs. */
export type Finding = {
  ok: boolean | null;
  text: string;
};

/** Returns null if the response is invalid. */
export function readFindings(response: unknown): Finding[] | null {
  if (typeof response !== "object" || response === null || !("data" in response)) return null;
  if (!Array.isArray(response.data)) return null;
  const findings: Finding[] = [];
  for (const item of response.data) {
    const isFinding =
      typeof item === "object" &&
      item !== null &&
      typeof item.ok === "boolean" &&
      typeof item.text === "string";
    if (!isFinding) return null;
    findings.push({ ok: item.ok, text: item.text });
  }
  return findings;
}
