import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildWhatIsStale } from "./build.mjs";
import { installWhenNeeded } from "./install.mjs";
import { root } from "./project.mjs";

/** Installs, builds and runs the stack in this process, so that signals reach it directly. Ends the process. */
export async function runStack(commandLine) {
  if (!(await installWhenNeeded())) process.exit(1);
  if (!(await buildWhatIsStale())) process.exit(1);
  const { main } = await import(pathToFileURL(path.join(root, "stack/dist/main.js")).href);
  process.exit(await main(commandLine));
}
