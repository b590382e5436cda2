const LOOK_EVERY_MS = 10;

/** Waits until `read` answers something that is neither undefined, null nor false. @throws after `limitMs`. */
export async function until<Value>(
  what: string,
  read: () => Promise<Value | undefined | null | false> | Value | undefined | null | false,
  limitMs = 10_000,
): Promise<Value> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
