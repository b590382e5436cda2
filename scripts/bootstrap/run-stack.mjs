import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildWhatIsStale } from "./build.mjs";
import { installWhenNeeded } from "./install.mjs";
import { root } from "./project.mjs";

/**
 * Installs, builds and runs a stack program in this process, so that signals reach it directly. Exits the process.
 * @param {string} program file in `stack/dist`; its only export runs it
 * @param {readonly string[]} commandLine
 */
export async function runStack(program, commandLine) {
  if (!(await installWhenNeeded())) process.exit(1);
  if (!(await buildWhatIsStale())) process.exit(1);
  await runBuilt(program, commandLine);
}

/** Runs a stack program without install and build, as in an image. Writes nothing to the project's folder. */
export async function runBuilt(program, commandLine) {
  const [run] = Object.values(await import(pathToFileURL(path.join(root, "stack/dist", program)).href));
  process.exit(await run(commandLine));
}
