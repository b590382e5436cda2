/** Part of `npm run lint`: "cannot" is one word everywhere; comments and documents are plain English. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bootstrap/project.mjs";
import { findWords } from "./lint/find-words.mjs";

/** Binary files, and the one that names the wrong spelling. */
const WITHOUT_WORDS = /\.(?:png|svg|ico)$|^scripts\/lint-words\.mjs$/;
/** Applied migrations never change, and a fixture is a copy of something older. */
const IS_FINAL = /(?:^|\/)(?:migrations|earlier|earlier-states|fixtures)\//;

const faults = [];
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
});
for (const file of files.split("\n").filter((name) => name !== "" && !WITHOUT_WORDS.test(name))) {
  const text = readFileSync(join(root, file), "utf8");
  for (const [index, line] of text.split("\n").entries())
    if (/\b(?:can not|can't)\b/i.test(line)) faults.push(`${file}:${index + 1} Write "cannot".`);
  if (IS_FINAL.test(file)) continue;
  for (const { line, word } of findWords(file, text))
    faults.push(`${file}:${line} Write "${word}" in plain English: short sentences, everyday words.`);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
