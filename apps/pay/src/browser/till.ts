import { fetchWithin } from "./fetch-within";

const LOOK_EVERY_MS = 3000;
const ANSWER_MS = 4000;

/** On the page of a till's printed code: goes on to the order as soon as one is open there. */
export function waitAtTill(main: HTMLElement): void {
  const look = async () => {
    try {
      const { response } = await fetchWithin(ANSWER_MS, location.href);
      if (response.redirected) return location.assign(response.url);
    } catch {
      // Asked again below.
    }
    setTimeout(() => void look(), LOOK_EVERY_MS);
  };
  if (main.dataset.till !== undefined) setTimeout(() => void look(), LOOK_EVERY_MS);
}
