/** `npm run up -- <settings file>`: runs production. Never installs, builds or writes to the project's folder. See start.mjs for the late import. */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runBuilt }) =>
  runBuilt("production/up.js", process.argv.slice(2)),
);
