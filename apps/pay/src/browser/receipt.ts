import { fetchWithin } from "./fetch-within";

const ANSWER_MS = 4000;

/**
 * Follows a receipt whenever it is looked at again: a refund may have begun since. Nothing is held open for it.
 * @param changed is called when the order is no longer what is shown.
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
      // What is shown stays true of its moment; the next look asks again.
    }
  };
  document.addEventListener("visibilitychange", look);
  return () => {
    ended = true;
    document.removeEventListener("visibilitychange", look);
  };
}
