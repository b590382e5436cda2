/**
 * `npm test [-- <suite> …]`: from a fresh clone to a table of suites and a last line "N passed, N failed".
 * Built-ins only until all is installed; see start.mjs for why the rest is imported later.
 */
import { refuseOldNode } from "./bootstrap/node-version.mjs";

refuseOldNode();
import("./testing/run-suites.mjs").then(({ runSuites }) => runSuites(process.argv.slice(2)));
