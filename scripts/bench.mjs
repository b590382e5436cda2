/**
 * `npm run bench [-- figure …]`: runs the product on its own PostgreSQL and compares it with references from the same run. Exit code 1 when a target
 * is missed, a row regresses from its baseline, or a figure fails.
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
