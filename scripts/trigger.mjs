/** `npm run trigger -- <event>`: triggers an event in the running sandbox, so that webhooks can be tried without clicking through a payment. */
import { runBuilt } from "./events/run-built.mjs";

await runBuilt(() => import("./events/trigger-program.mjs"), process.argv.slice(2));
