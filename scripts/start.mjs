/**
 * `npm start`: uses only Node built-ins, because nothing may be installed yet, and only syntax that an old Node can parse, so that it can report its
 * version.
 */
import { rejectOldNode } from "./bootstrap/node-version.mjs";

rejectOldNode();
import("./bootstrap/run-stack.mjs").then(({ runStack }) => runStack("main.js", process.argv.slice(2)));
