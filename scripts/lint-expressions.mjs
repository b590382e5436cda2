/**
 * Part of `npm run lint`: refuses regular expressions that can take much longer than their input is long, in all TypeScript,
 * JavaScript and PHP that runs. What was found linear is remembered in node_modules/.cache.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./bootstrap/project.mjs";
import { collectExpressions } from "./lint/collect-expressions.mjs";
import { judgeExpressions, keepKnown, readKnown } from "./lint/judge-expressions.mjs";

const CACHE = join(root, "node_modules/.cache/tillgate-linear-expressions.json");
const { version } = createRequire(import.meta.url)("recheck/package.json");

/** Tests, and tools of the project's own sources: what they read, the project itself wrote. */
const READS_OWN_TEXT = /^(?:e2e|bench)\/|(?:^|\/)(?:test|tests|testing|build|lint)\//;

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(?:[cm]?[jt]s|tsx|php)$/.test(file) && !READS_OWN_TEXT.test(file));
const expressions = [];
const faults = [];
for (const file of files) {
  const found = collectExpressions(file, readFileSync(join(root, file), "utf8"));
  expressions.push(...found.expressions);
  faults.push(
    ...found.inParts.map((place) => ({
      ...place,
      fault: "is made in parts: write it whole, so that it can be judged",
    })),
  );
}
const known = readKnown(CACHE, version);
faults.push(...(await judgeExpressions(expressions, { known })));
keepKnown(CACHE, version, known);
for (const { file, line, fault } of faults)
  console.error(`${file}:${line} This regular expression ${fault}.`);
if (faults.length === 0)
  console.log(`${expressions.length} regular expressions take no longer than their input is long.`);
// The checker's own process stays open otherwise.
process.exit(faults.length === 0 ? 0 : 1);
