/** Part of `npm run lint`: "cannot" is one word, in code, texts and documents. */
import { execFileSync } from "node:child_process";
import { root } from "./bootstrap/project.mjs";

try {
  const found = execFileSync(
    "git",
    ["grep", "-nIiE", "\\b(can not|can't)\\b", "--", ".", ":!scripts/lint-words.mjs"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  console.error(`${found}Write "cannot".`);
  process.exitCode = 1;
} catch (error) {
  // git grep ends with 1 where it finds nothing.
  if (error.status !== 1) throw error;
}
