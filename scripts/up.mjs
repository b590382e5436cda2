/**
 * `npm run up -- <settings file>`: production. Installs when needed, builds what is stale, then hands over to the stack
 * (stack/src/production/up.ts). See start.mjs for why the rest is imported later.
 */
import { refuseOldNode } from "./bootstrap/node-version.mjs";

refuseOldNode();
import("./bootstrap/run-stack.mjs").then(({ runStack }) =>
  runStack("production/up.js", process.argv.slice(2)),
);
