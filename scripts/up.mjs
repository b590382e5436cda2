/** `npm run up -- <settings file>`: production, as built. Never installs, builds or writes to the project's folder. Imports late: see start.mjs. */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runBuilt }) =>
  runBuilt("production/up.js", process.argv.slice(2)),
);
