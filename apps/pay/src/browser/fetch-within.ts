/**
 * Asks our own server and gives up after a while: a dead connection looks like a slow one.
 * @returns the answer with its body read.
 * @throws when there is no whole answer in time.
 */
export async function fetchWithin(
  milliseconds: number,
  address: string,
  init: RequestInit = {},
): Promise<{ response: Response; text: string }> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), milliseconds);
  try {
    const response = await fetch(address, { ...init, cache: "no-store", signal: waiting.signal });
    return { response, text: await response.text() };
  } finally {
    clearTimeout(timer);
  }
}
