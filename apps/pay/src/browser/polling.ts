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

/** How long one check may take before it counts as failed. */
export const ANSWER_MS = 4000;

/**
 * Refreshes a receipt whenever it becomes visible again: a refund may have begun since. It keeps no connection open.
 * @param changed is called when the order is no longer in the shown state.
 * @returns what ends it.
 */
export function watchReceipt(main: HTMLElement, changed: () => void): () => void {
  const { token, version } = main.dataset;
  let ended = false;
  const look = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      const { response, text } = await fetchWithin(ANSWER_MS, `/pay/${token}/status`);
      if (ended || !response.ok) return;
      if (String((JSON.parse(text) as { version: number }).version) !== version) changed();
    } catch {
      // On failure the receipt stays; the next look asks again.
    }
  };
  document.addEventListener("visibilitychange", look);
  return () => {
    ended = true;
    document.removeEventListener("visibilitychange", look);
  };
}

const RETRY_MS = 4000;

/**
 * On the page that says that the service does not answer: asks until it does, and only then loads the page, so that nothing
 * moves under the reader before.
 */
export function startRetrying(main: HTMLElement): void {
  const { waitsFor } = main.dataset;
  if (waitsFor === undefined) return;
  let next: ReturnType<typeof setTimeout>;
  const ask = async () => {
    clearTimeout(next);
    try {
      const { response } = await fetchWithin(ANSWER_MS, waitsFor);
      if (response.status < 500) return location.reload();
    } catch {
      // Asked again below.
    }
    next = setTimeout(ask, RETRY_MS);
  };
  next = setTimeout(ask, RETRY_MS);
  addEventListener("online", () => void ask());
}

const TILL_CHECK_MS = 3000;

/** On the page of a till's printed code: goes on to the order as soon as one is open there. */
export function waitAtTill(main: HTMLElement): void {
  const look = async () => {
    try {
      const { response } = await fetchWithin(ANSWER_MS, location.href);
      if (response.redirected) return location.assign(response.url);
    } catch {
      // Asked again below.
    }
    setTimeout(() => void look(), TILL_CHECK_MS);
  };
  if (main.dataset.till !== undefined) setTimeout(() => void look(), TILL_CHECK_MS);
}
