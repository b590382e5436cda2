/**
 * `npm run listen`: prints the events of a merchant as they happen and forwards them, signed, to an address of this
 * machine, so that webhooks can be developed without a public address.
 */
import { runBuilt } from "./events/run-built.mjs";

await runBuilt(() => import("./events/listen-program.mjs"), process.argv.slice(2));
