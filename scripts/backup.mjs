/** `npm run backup`: usage in stack/src/production/backup.ts. */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runBuilt }) =>
  runBuilt("production/backup.js", process.argv.slice(2)),
);
