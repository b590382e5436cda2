import type { Guard } from "./guard.js";
import type { TestFile } from "./trial.js";

/** Points for each sign that a test file exercises a guard. */
const POINTS = {
  namesGuard: 20,
  noticedAnother: 6,
  namesFunction: 5,
  isAbout: 4,
  isOfDatabase: 3,
  changesTable: 2,
};
/** Maximum number of signs of one kind that count. */
const MOST_SIGNS = 4;
/** Paths of tests with concurrent calls, which exercise most row locks. */
const CONCURRENT = /\/races|\/concurrency\/|lock|interleaving/;
/** Number of leading letters by which a word of a guard's name matches a test file: `expire_order` matches `expiry.test.ts`. */
const STEM_LENGTH = 4;

/** Sorts test files by how likely they are to notice a guard's removal. `noticed` contains the file that noticed each removed guard of the same table or function. */
export function rankFiles(guard: Guard, files: readonly TestFile[], noticed: readonly string[]): TestFile[] {
  const ranked = files.map((file) => ({ file, points: countPoints(guard, file, noticed) }));
  ranked.sort((a, b) => b.points - a.points || (a.file.name < b.file.name ? -1 : 1));
  return ranked.map(({ file }) => file);
}

function countPoints(
  { kind, name, of }: Guard,
  { name: file, text }: TestFile,
  noticed: readonly string[],
): number {
  const own = /^\w+\.(\w+)$/.exec(name)?.[1];
  const stems = new Set(`${of}_${own ?? ""}`.split("_").map((word) => word.slice(0, STEM_LENGTH)));
  const changes = ["UPDATE", "INTO", "FROM", "TRUNCATE"].map(
    (verb) => text.split(`${verb} ${of}`).length - 1,
  );
  const signs = [
    [POINTS.namesGuard, own !== undefined && text.includes(own) ? 1 : 0],
    [POINTS.noticedAnother, noticed.filter((other) => other === file).length],
    [POINTS.namesFunction, text.includes(of) || text.includes(camelCase(of)) ? 1 : 0],
    [POINTS.isAbout, [...stems].filter((stem) => stem.length === STEM_LENGTH && file.includes(stem)).length],
    [POINTS.isAbout, (kind === "row lock" ? CONCURRENT : /\/forgeries\//).test(file) ? 2 : 0],
    [
      POINTS.isOfDatabase,
      [/^packages\/database\//, /\/ledger-rules\/|\/prove-/].filter((path) => path.test(file)).length,
    ],
    [POINTS.changesTable, changes.reduce((sum, count) => sum + count)],
  ] as const;
  return signs.reduce((sum, [points, count]) => sum + points * Math.min(count, MOST_SIGNS), 0);
}

const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
