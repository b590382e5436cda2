/**
 * Part of `npm run lint`: rejects regular expressions with super-linear backtracking (ReDoS). Known linear expressions are cached in
 * node_modules/.cache.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./bootstrap/project.mjs";
import { checkExpressions, readCache, writeCache } from "./lint/check-expressions.mjs";
import { collectExpressions } from "./lint/collect-expressions.mjs";

const CACHE = join(root, "node_modules/.cache/tillgate-linear-expressions.json");
const { version } = createRequire(import.meta.url)("recheck/package.json");

/** Tests and build tools read only this repository's own files. */
const TRUSTED_INPUT = /^(?:e2e|bench)\/|(?:^|\/)(?:test|tests|testing|build|lint)\//;

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(?:[cm]?[jt]s|tsx|php)$/.test(file) && !TRUSTED_INPUT.test(file));
const expressions = [];
const problems = [];
for (const file of files) {
  const found = collectExpressions(file, readFileSync(join(root, file), "utf8"));
  expressions.push(...found.expressions);
  problems.push(
    ...found.dynamic.map((location) => ({
      ...location,
      problem: "is built at run time: write it as a literal, so that it can be checked",
    })),
  );
}
const known = readCache(CACHE, version);
problems.push(...(await checkExpressions(expressions, { known })));
writeCache(CACHE, version, known);
for (const { file, line, problem } of problems)
  console.error(`${file}:${line} This regular expression ${problem}.`);
if (problems.length === 0) console.log(`${expressions.length} regular expressions run in linear time.`);
// The checker's child process would keep this process alive.
process.exit(problems.length === 0 ? 0 : 1);
