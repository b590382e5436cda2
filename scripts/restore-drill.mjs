/** `npm run restore-drill`: usage in stack/src/production/restore-drill.ts. */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runBuilt }) =>
  runBuilt("production/restore-drill.js", process.argv.slice(2)),
);
