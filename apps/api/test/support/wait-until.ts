const POLL_INTERVAL_MS = 10;

/** Polls `read` until it returns something other than undefined, null or false. @throws after `limitMs`. */
export async function waitUntil<Value>(
  what: string,
  read: () => Promise<Value | undefined | null | false> | Value | undefined | null | false,
  limitMs = 10_000,
): Promise<Value> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > end) throw new Error(`timed out after ${limitMs} ms waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
