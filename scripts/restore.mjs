/** `npm run restore`: see stack/src/production/restore-command.ts, which says how it is called. */
import { refuseOldNode } from "./bootstrap/node-version.mjs";

refuseOldNode();
import("./bootstrap/run-stack.mjs").then(({ runStack }) =>
  runStack("production/restore-command.js", process.argv.slice(2)),
);
