import type { Page } from "./pages.js";

/** Found pages that are shown. */
const MAX_FOUND = 30;
/** Words of a question that are looked for, and its letters. */
const MAX_WORDS = 8;
const MAX_QUESTION = 100;

/** How much a word weighs where it stands. */
const IN_TITLE = 20;
const IN_PATH = 10;
const MOST_IN_TEXT = 5;

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== "");

/**
 * Makes the search over pages: those that have a word beginning with each word of the question, the one that is most about them
 * first.
 */
export function searchOver(pages: readonly Page[]): (question: string) => Page[] {
  const read = pages.map((page) => ({
    page,
    name: wordsOf(`${page.title} ${page.group}`),
    address: page.path.toLowerCase(),
    text: wordsOf(page.markdown),
  }));
  return (question) => {
    const asked = wordsOf(question.slice(0, MAX_QUESTION)).slice(0, MAX_WORDS);
    if (asked.length === 0) return [];
    return read
      .map(({ page, name, address, text }) => {
        const weights = asked.map(
          (word) =>
            (name.some((one) => one.startsWith(word)) ? IN_TITLE : 0) +
            (address.includes(word) ? IN_PATH : 0) +
            Math.min(text.filter((one) => one.startsWith(word)).length, MOST_IN_TEXT),
        );
        return { page, weight: weights.includes(0) ? 0 : weights.reduce((sum, weight) => sum + weight, 0) };
      })
      .filter(({ weight }) => weight > 0)
      .sort((one, other) => other.weight - one.weight)
      .slice(0, MAX_FOUND)
      .map(({ page }) => page);
  };
}
