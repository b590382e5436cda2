/** `npm run backup`: see stack/src/production/backup.ts for its usage. */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runBuilt }) =>
  runBuilt("production/backup.js", process.argv.slice(2)),
);
