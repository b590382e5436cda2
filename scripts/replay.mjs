/** `npm run replay`: resends events from a time range, in order, to an endpoint or a URL. */
import { runBuilt } from "./events/run-built.mjs";

await runBuilt(() => import("./events/replay-program.mjs"), process.argv.slice(2));
