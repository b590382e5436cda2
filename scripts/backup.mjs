/** `npm run backup`: see stack/src/production/backup.ts, which says how it is called. */
import { refuseOldNode } from "./bootstrap/node-version.mjs";

refuseOldNode();
import("./bootstrap/run-stack.mjs").then(({ runStack }) =>
  runStack("production/backup.js", process.argv.slice(2)),
);
