/** `npm test [-- <suite> …]`: runs the suites. See start.mjs for why the rest is imported later. */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./testing/run-suites.mjs").then(({ runSuites }) => runSuites(process.argv.slice(2)));
