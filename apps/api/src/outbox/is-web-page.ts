const COMMENT = { begin: "<!--", end: "-->" } as const;
/** How a page begins, once blanks and comments are passed. */
const BEGINNING = /^<(?:!doctype html|html|head|body|h1)\b/i;

/**
 * Whether the start of an answer is a web page: then a page, and no webhook handler, may have answered. The receiver writes
 * what is looked at here, so every character is passed once: one expression for all of it took the power of its comments.
 */
export function isWebPage(answerStart: string | null | undefined): boolean {
  const text = answerStart ?? "";
  let at = afterBlanks(text, 0);
  while (text.startsWith(COMMENT.begin, at)) {
    const end = text.indexOf(COMMENT.end, at + COMMENT.begin.length);
    if (end === -1) return false;
    at = afterBlanks(text, end + COMMENT.end.length);
  }
  return BEGINNING.test(text.slice(at));
}

const afterBlanks = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text.charAt(at).trim() === "") at += 1;
  return at;
};
