/**
 * `npm start`: installs when needed, builds what is stale, then hands over to the stack (stack/src/main.ts).
 * Node built-ins only, as nothing may be installed yet; and no syntax that an old Node cannot read, so that it
 * gets as far as the line that says what is wrong.
 */
import { refuseOldNode } from "./bootstrap/node-version.mjs";

refuseOldNode();
import("./bootstrap/run-stack.mjs").then(({ runStack }) => runStack("main.js", process.argv.slice(2)));
