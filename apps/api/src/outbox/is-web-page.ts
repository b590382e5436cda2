const COMMENT = { begin: "<!--", end: "-->" } as const;
/** The start of a page, after blanks and comments. */
const BEGINNING = /^<(?:!doctype html|html|head|body|h1)\b/i;

const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"]);

/**
 * Whether a response is a web page, so that a page answered in place of a webhook receiver: its type says HTML and its body holds
 * markup, or it has no type and its body begins like a page. PHP sends text/html unless told otherwise, so a plain "ok" of that
 * type is no page.
 */
export function isWebPage(contentType: string | string[] | undefined, bodyStart: string): boolean {
  const [type = ""] = String(contentType ?? "").split(";", 1);
  if (type.trim() === "") return beginsLikeWebPage(bodyStart);
  return HTML_TYPES.has(type.trim().toLowerCase()) && bodyStart.charAt(afterBlanks(bodyStart, 0)) === "<";
}

/**
 * Whether a text begins like a web page. The receiver controls this text, so every character is read once. One expression for all
 * of it was exponential in the number of comments.
 */
export function beginsLikeWebPage(bodyStart: string | null | undefined): boolean {
  const text = bodyStart ?? "";
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
