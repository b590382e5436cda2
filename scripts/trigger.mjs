/**
 * `npm run trigger -- <event>`: makes an event happen in the sandbox that `npm start` is running, through the APIs and
 * commands that everybody uses, so that webhooks can be tried without clicking through a payment.
 */
import { runBuilt } from "./events/run-built.mjs";

await runBuilt(() => import("./events/trigger-program.mjs"), process.argv.slice(2));
