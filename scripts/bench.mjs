/**
 * `npm run bench [-- figure …]`: builds what is stale, runs the product on its own PostgreSQL, measures it against
 * references from the same run and prints each ratio next to its target. Exit code 1 when a target is missed, a row
 * regresses from its baseline, or a figure fails.
 */
import path from "node:path";
import { buildWhatIsStale } from "./bootstrap/build.mjs";
import { installedProgram, root } from "./bootstrap/project.mjs";
import { runProgram } from "./bootstrap/run-program.mjs";
import { findOrInstallChromium } from "./testing/chromium.mjs";

if (await buildWhatIsStale()) {
  process.exitCode = await runProgram(
    installedProgram("tsx"),
    [path.join(root, "bench/src/main.ts"), ...process.argv.slice(2)],
    {
      cwd: root,
      env: { ...process.env, PLAYWRIGHT_CHROMIUM_PATH: findOrInstallChromium(process.env) },
    },
  );
} else {
  process.exitCode = 1;
}
