/**
 * Reserves one of `limit` slots of a key in this process.
 * @param taken number of reserved slots by key; a key without any is removed.
 * @returns the function that releases the slot, or null if all are taken.
 */
export function reserveSlot(taken: Map<string, number>, key: string, limit: number): (() => void) | null {
  const count = taken.get(key) ?? 0;
  if (count >= limit) return null;
  taken.set(key, count + 1);
  return () => {
    const left = (taken.get(key) ?? 1) - 1;
    if (left > 0) taken.set(key, left);
    else taken.delete(key);
  };
}
