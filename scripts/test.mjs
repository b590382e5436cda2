/**
 * `npm test [-- <suite> …]`: from a fresh clone to a table of suites and a last line "N passed, N failed".
 * Built-ins only until all is installed; see start.mjs for why the rest is imported later.
 */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./testing/run-suites.mjs").then(({ runSuites }) => runSuites(process.argv.slice(2)));
