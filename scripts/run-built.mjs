/**
 * `node scripts/run-built.mjs <program> [argument …]`: runs a stack program that is already built, as in an image:
 * `production/up.js /etc/tillgate/settings.env`, `production/backup.js …`, `production/restore-command.js …`.
 */
import { runBuilt } from "./bootstrap/run-stack.mjs";

const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  console.error("Usage: node scripts/run-built.mjs <program in stack/dist> [argument …]");
  process.exitCode = 1;
} else await runBuilt(program, args);
