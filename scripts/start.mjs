/** `npm start`. Uses only Node built-ins, because nothing may be installed yet, and syntax that an old Node can parse, to report its version. */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runStack }) => runStack("main.js", process.argv.slice(2)));
