import type { Answer } from "./requests.js";

/** Makes a number of calls at once, each through the other of two, such as api processes, than the one before. */
export const atOnce = <Through, Value>(
  two: readonly [Through, Through],
  count: number,
  call: (through: Through, index: number) => Promise<Value>,
): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index % 2 === 0 ? two[0] : two[1], index)));

/** How often each answer came, by its status and text. */
export function share(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, text } of answers) {
    const said = /"(?:success|error)":\["([^"]*)"/.exec(text)?.[1] ?? text;
    const key = `${status} ${said}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
