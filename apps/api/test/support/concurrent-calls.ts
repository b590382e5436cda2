import type { ApiResponse } from "./requests.js";

/** Makes `count` concurrent calls, alternating between two targets such as API processes. */
export const callConcurrently = <Through, Value>(
  two: readonly [Through, Through],
  count: number,
  call: (through: Through, index: number) => Promise<Value>,
): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index % 2 === 0 ? two[0] : two[1], index)));

export function countResponses(responses: ApiResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, text } of responses) {
    const message = /"(?:success|error)":\["([^"]*)"/.exec(text)?.[1] ?? text;
    const key = `${status} ${message}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
