import { collectComments } from "./collect-comments.mjs";

/** Words of a long phrase may stand on two lines of a comment. */
const WORDS = /\b(?:whoever|anew|(?:is|are)[\s*/#-]+told|came[\s*/#-]+of[\s*/#-]+it)\b/gi;

/**
 * Finds words in the comments of a file that readers of plain English do not use.
 * @param {string} file its name
 * @param {string} text its content
 * @returns {{ file: string, line: number, word: string }[]}
 */
export function findWords(file, text) {
  return collectComments(file, text).flatMap((comment) =>
    [...comment.text.matchAll(WORDS)].map((found) => ({
      file,
      line: comment.line + comment.text.slice(0, found.index).split("\n").length - 1,
      word: found[0].replace(/[\s*/#-]+/g, " ").toLowerCase(),
    })),
  );
}
