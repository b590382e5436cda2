/** `npm run restore`: usage in stack/src/production/restore-command.ts. */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runBuilt }) =>
  runBuilt("production/restore-command.js", process.argv.slice(2)),
);
