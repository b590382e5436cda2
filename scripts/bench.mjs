/**
 * `npm run bench [-- figure …]`: measures the product on a separate PostgreSQL, and compares it with references from the same run. The exit code is 1
 * if a target is missed, a row regresses from its baseline, or a figure fails.
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
