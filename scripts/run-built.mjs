/**
 * `node scripts/run-built.mjs <program> [words …]`: a program of the stack where all is built already, as in an image. Such as
 * `production/up.js /etc/tillgate/settings.env`, `production/backup.js …`, `production/restore-command.js …`.
 */
import { runBuilt } from "./bootstrap/run-stack.mjs";

const [program, ...words] = process.argv.slice(2);
if (program === undefined) {
  console.error("Which program? See the first lines of this file.");
  process.exitCode = 1;
} else await runBuilt(program, words);
