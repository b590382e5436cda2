/** `npm run upgrade-postgresql`: usage in stack/src/production/upgrade-postgresql.ts. */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runBuilt }) =>
  runBuilt("production/upgrade-postgresql.js", process.argv.slice(2)),
);
