import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildWhatIsStale } from "./build.mjs";
import { installWhenNeeded } from "./install.mjs";
import { root } from "./project.mjs";

/**
 * Installs, builds and runs a stack program in this process, so that signals reach it directly. Exits the process.
 * @param program file in `stack/dist` with one export
 */
export async function runStack(program, commandLine) {
  if (!(await installWhenNeeded())) process.exit(1);
  if (!(await buildWhatIsStale())) process.exit(1);
  await runBuilt(program, commandLine);
}

/** Runs a stack program without building it or writing to the project's folder. Exits the process. */
export async function runBuilt(program, commandLine) {
  const file = path.join(root, "stack/dist", program);
  if (!existsSync(file) || !existsSync(path.join(root, "node_modules"))) {
    console.error("Tillgate is not built yet. Run npm ci && npm run build.");
    process.exit(1);
  }
  const [run, ...others] = Object.values(await import(pathToFileURL(file).href));
  if (others.length > 0) throw new Error(`${program} must export only the function that runs it.`);
  process.exit(await run(commandLine));
}
