/** Returns the positions that the newest entry seen by a call may have; -1: the call sees no entry. */
export type Window = (start: number, end: number) => { from: number; to: number };

/**
 * Creates a window for a list: a call sees all appends acknowledged before it started, and none sent after it ended.
 * @param writers calls that appended the entries, in order.
 */
export function createWindow(
  writers: Int32Array,
  times: { startOf: (call: number) => number; endOf: (call: number) => number },
): Window {
  const startOf = (position: number): number => times.startOf(writers[position] ?? 0);
  const endOf = (position: number): number => times.endOf(writers[position] ?? 0);
  const positions = writers.map((_, position) => position);
  const byEnd = positions.toSorted((one, other) => endOf(one) - endOf(other));
  const byStart = positions.toSorted((one, other) => startOf(one) - startOf(other));
  const latest = byEnd.slice();
  for (let at = 1; at < latest.length; at += 1) latest[at] = Math.max(latest[at] ?? 0, latest[at - 1] ?? 0);
  const earliest = byStart.slice();
  for (let at = earliest.length - 2; at >= 0; at -= 1)
    earliest[at] = Math.min(earliest[at] ?? 0, earliest[at + 1] ?? 0);
  return (start, end) => {
    const ended = countWhile(byEnd, (position) => endOf(position) < start);
    const begun = countWhile(byStart, (position) => startOf(position) <= end);
    return { from: latest[ended - 1] ?? -1, to: (earliest[begun] ?? writers.length) - 1 };
  };
}

/** Returns how many items at the start satisfy the condition, which no later item may satisfy. */
function countWhile(items: Int32Array, holds: (item: number) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
