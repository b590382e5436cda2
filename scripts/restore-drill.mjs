/** `npm run restore-drill`: see stack/src/production/restore-drill.ts for its usage. */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runBuilt }) =>
  runBuilt("production/restore-drill.js", process.argv.slice(2)),
);
