import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildWhatIsStale } from "./build.mjs";
import { installWhenNeeded } from "./install.mjs";
import { root } from "./project.mjs";

/**
 * Installs, builds and runs a program of the stack in this process, so that signals reach it directly. Ends the process.
 * @param {string} program in `stack/dist`; its one export runs it
 * @param {readonly string[]} commandLine
 */
export async function runStack(program, commandLine) {
  if (!(await installWhenNeeded())) process.exit(1);
  if (!(await buildWhatIsStale())) process.exit(1);
  await runBuilt(program, commandLine);
}

/** The same where all is installed and built, as in an image: it changes nothing in the project's folder. */
export async function runBuilt(program, commandLine) {
  const [run] = Object.values(await import(pathToFileURL(path.join(root, "stack/dist", program)).href));
  process.exit(await run(commandLine));
}
