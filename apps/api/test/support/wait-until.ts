const MIN_POLL_INTERVAL_MS = 10;
const MAX_POLL_INTERVAL_MS = 100;

/** Polls `read` at growing intervals until it returns something other than undefined, null or false. @throws Error after `limitMs` */
export async function waitUntil<Value>(
  what: string,
  read: () => Promise<Value | undefined | null | false> | Value | undefined | null | false,
  limitMs = 10_000,
): Promise<Value> {
  const start = performance.now();
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== null && value !== false) return value;
    const elapsed = performance.now() - start;
    if (elapsed > limitMs) throw new Error(`timed out after ${limitMs} ms waiting until ${what}`);
    const interval = Math.min(MAX_POLL_INTERVAL_MS, Math.max(MIN_POLL_INTERVAL_MS, elapsed / 10));
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}
