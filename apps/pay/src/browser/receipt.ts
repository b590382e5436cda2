import { fetchWithin } from "./fetch-within";

const ANSWER_MS = 4000;

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
