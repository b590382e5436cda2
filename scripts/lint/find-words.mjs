/** Words that are rejected everywhere (names, comments, documents and texts): [pattern, replacement]. */
const ANYWHERE = [
  ["can not|can't", '"cannot" (in texts for people: "can’t")'],
  ["whoever", '"anyone who"'],
  ["anew", '"again"'],
  ["misfits?", '"rejected"'],
  ["patiently", '"with retries"'],
  ["askForLooks?", "`scheduleCheck`"],
  [
    "keysOfNobody|notAPlace|saidBrowser|keptSession|isHurried|speakPlainly|meetControl|spendQuote|foldCounts",
    "verb + object in the field's words",
  ],
  ["clock stands", '"the countdown is paused"'],
];
/** Words that are rejected only in user-facing texts. */
const TEXTS = [
  ["(?:is|are) told", '"is notified", "gets"'],
  ["too little", '"{amount} short", "insufficient"'],
  ["once more", '"again"'],
  ["given up", '"failed"'],
  ["knows? no", '"doesn’t support"'],
  ["does not answer|did not answer", '"can’t be reached", "didn’t respond"'],
  ["under way|on (?:its|their) way", '"in progress"'],
  ["as (?:there|it) may be", '"you’ve reached the limit"'],
  ["(?:is|are) sent again", '"is resent"'],
  ["needs you|by itself", '"needs attention", "automatically"'],
  ["make (?:a|an|the) (?:account|wallet|key|order)", '"create"'],
  ["goes on|go on", '"continues"'],
  ["ecrã|telemóvel|separador", "a word that Portugal and Brazil share"],
];
const IS_TEXT =
  /^(?:apps\/(?:pay|dashboard)\/src\/texts\/|apps\/pay\/src\/browser\/tillgate-texts|packages\/contract\/src\/errors\/(?:remedies|likely-causes))/;

const compile = (rows) =>
  rows.map(([words, instead]) => [new RegExp(`(?<![\\p{L}_])(?:${words})(?![\\p{L}_])`, "giu"), instead]);
const [anywhere, texts] = [compile(ANYWHERE), compile(TEXTS)];

/** Finds rejected words. @returns {{ file: string, line: number, word: string, instead: string }[]} */
export const findWords = (file, text) =>
  [...anywhere, ...(IS_TEXT.test(file) ? texts : [])].flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map((found) => ({
      file,
      line: text.slice(0, found.index).split("\n").length,
      word: found[0].toLowerCase(),
      instead,
    })),
  );
