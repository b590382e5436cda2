import { fetchWithin } from "./fetch-within";

const RETRY_MS = 4000;
const ANSWER_MS = 4000;

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
