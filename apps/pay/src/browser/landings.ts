import { fetchWithin } from "./fetch-within";
import { parse } from "./view";

const LOOK_EVERY_MS = 1000;
const LOOKS = 10;
const ANSWER_MS = 4000;
const SELECTOR = "[data-landing]";

/**
 * Draws again what the shop was told, for some seconds while a webhook is under way.
 * @returns what ends it.
 */
export function watchLandings(main: HTMLElement): () => void {
  let looks = 0;
  const look = async () => {
    const shown = main.querySelector<HTMLElement>(SELECTOR);
    looks += 1;
    if (shown?.dataset.landing !== "waiting" || looks > LOOKS) return clearInterval(timer);
    try {
      const { text } = await fetchWithin(ANSWER_MS, location.href);
      const drawn = parse(text).querySelector(SELECTOR);
      if (drawn !== null) shown.replaceWith(document.adoptNode(drawn));
    } catch {
      // The next look asks again.
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
