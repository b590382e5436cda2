const COMMENT = { begin: "<!--", end: "-->" } as const;
/** The start of a page, after blanks and comments. */
const BEGINNING = /^<(?:!doctype html|html|head|body|h1)\b/i;

/**
 * Whether the start of an answer is a web page: then a page may have answered instead of a webhook handler. The receiver
 * controls this text, so every character is read once. One expression for all of it was exponential in the number of
 * comments.
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
