/** Fetches with a time limit, because a dead connection looks like a slow one. @throws if the request fails or takes too long */
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

export const RESPONSE_TIMEOUT_MS = 4000;

/** Checks the order when the page becomes visible, and calls `changed` after a change such as a refund. @returns a function that stops the checks */
export function watchReceipt(main: HTMLElement, changed: () => void): () => void {
  const { token, version } = main.dataset;
  let ended = false;
  const check = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      const { response, text } = await fetchWithin(RESPONSE_TIMEOUT_MS, `/pay/${token}/status`);
      if (ended || !response.ok) return;
      if (String((JSON.parse(text) as { version: number }).version) !== version) changed();
    } catch {
      // The next check retries.
    }
  };
  document.addEventListener("visibilitychange", check);
  return () => {
    ended = true;
    document.removeEventListener("visibilitychange", check);
  };
}

const RETRY_MS = 4000;

/** Polls from the "service unavailable" page and reloads the page once a response is not a server error. */
export function retryUntilAvailable(main: HTMLElement): void {
  const { pollAddress } = main.dataset;
  if (pollAddress === undefined) return;
  let next: ReturnType<typeof setTimeout>;
  const retry = async () => {
    clearTimeout(next);
    try {
      const { response } = await fetchWithin(RESPONSE_TIMEOUT_MS, pollAddress);
      if (response.status < 500) return location.reload();
    } catch {
      // Retried below.
    }
    next = setTimeout(retry, RETRY_MS);
  };
  next = setTimeout(retry, RETRY_MS);
  addEventListener("online", () => void retry());
}

const TILL_CHECK_MS = 3000;

/** On the page of a till's printed code, polls until the till has an open order, then opens that order's payment page. */
export function waitForTillOrder(main: HTMLElement): void {
  const check = async () => {
    try {
      const { response } = await fetchWithin(RESPONSE_TIMEOUT_MS, location.href);
      if (response.redirected) return location.assign(response.url);
    } catch {
      // Retried below.
    }
    setTimeout(() => void check(), TILL_CHECK_MS);
  };
  if (main.dataset.till !== undefined) setTimeout(() => void check(), TILL_CHECK_MS);
}
