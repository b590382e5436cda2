/** Part of `npm run lint`: rejects words that this repository does not use, and reports what to write instead. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bootstrap/project.mjs";
import { findWords } from "./lint/find-words.mjs";

/** Binary files, files that list the words, and files that must not change: applied migrations and historical fixtures. */
const SKIPPED =
  /\.(?:png|svg|ico)$|^scripts\/(?:lint|test\/unit\/banned)|(?:^|\/)(?:migrations|earlier|earlier-states|fixtures)\//;

const errors = [];
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
});
for (const file of files.split("\n").filter((name) => name !== "" && !SKIPPED.test(name)))
  for (const { line, word, instead } of findWords(file, readFileSync(join(root, file), "utf8")))
    errors.push(`${file}:${line} "${word}": write ${instead}.`);
for (const error of errors) console.error(error);
if (errors.length > 0) process.exitCode = 1;
