/** `npm run ablation [-- --sample N --seed N --only pattern …]`: removes the schema's guards one at a time, and finds a test that notices each removal. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { buildWhatIsStale } from "./bootstrap/build.mjs";
import { installedProgram, root } from "./bootstrap/project.mjs";
import { runProgram } from "./bootstrap/run-program.mjs";
import { createScratchFolder } from "./testing/scratch-folder.mjs";

async function runAblation() {
  if (!(await buildWhatIsStale())) return 1;
  const scratch = await createScratchFolder();
  try {
    return await runProgram(
      installedProgram("tsx"),
      [path.join(root, "packages/database/ablation/main.ts"), ...process.argv.slice(2)],
      { cwd: root, env: { ...process.env, TMPDIR: scratch } },
    );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

process.exitCode = await runAblation();
