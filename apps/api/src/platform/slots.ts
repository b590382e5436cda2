/**
 * Reserves one of a key's slots.
 * @param reserved number of reserved slots by key; a key is removed when its last slot is released.
 * @returns the function that releases the slot, or null if all are taken.
 */
export function reserveSlot(reserved: Map<string, number>, key: string, limit: number): (() => void) | null {
  const count = reserved.get(key) ?? 0;
  if (count >= limit) return null;
  reserved.set(key, count + 1);
  return () => {
    const remaining = (reserved.get(key) ?? 1) - 1;
    if (remaining > 0) reserved.set(key, remaining);
    else reserved.delete(key);
  };
}
