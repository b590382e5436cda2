/** Counts the calls by outcome: `{ done: 1, TG010: 19 }`. */
export function share(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
