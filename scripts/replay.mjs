/** `npm run replay`: sends the events of a range again, in order, to an endpoint or an address. */
import { runBuilt } from "./events/run-built.mjs";

await runBuilt(() => import("./events/replay-program.mjs"), process.argv.slice(2));
