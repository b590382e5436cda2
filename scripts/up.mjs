/**
 * `npm run up -- <settings file>`: production. Installs if needed, builds what is stale, then runs the stack
 * (stack/src/production/up.ts). Imports late for the reason given in start.mjs.
 */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runStack }) =>
  runStack("production/up.js", process.argv.slice(2)),
);
