/**
 * Fetches from our own server with a time limit, because a dead connection looks like a slow one.
 * @returns the response with its body read.
 * @throws if the response is not complete in time.
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

/** Time limit of one check. */
export const ANSWER_MS = 4000;

/**
 * Checks a receipt whenever it becomes visible: a refund may have started. Keeps no connection open.
 * @param changed called when the order's version differs from the shown one.
 * @returns stops the checks.
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
      // The next check retries.
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
 * Polls from the "service unavailable" page and reloads only once there is a response, so that nothing moves under the reader.
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
      // Retried below.
    }
    next = setTimeout(ask, RETRY_MS);
  };
  next = setTimeout(ask, RETRY_MS);
  addEventListener("online", () => void ask());
}

const TILL_CHECK_MS = 3000;

/** On the page of a till's printed code: opens the order as soon as one is open at the till. */
export function waitAtTill(main: HTMLElement): void {
  const look = async () => {
    try {
      const { response } = await fetchWithin(ANSWER_MS, location.href);
      if (response.redirected) return location.assign(response.url);
    } catch {
      // Retried below.
    }
    setTimeout(() => void look(), TILL_CHECK_MS);
  };
  if (main.dataset.till !== undefined) setTimeout(() => void look(), TILL_CHECK_MS);
}
