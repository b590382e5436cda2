/** `npm run listen`: prints a merchant's events and forwards them, signed, to a local URL, so that webhooks can be developed without a public URL. */
import { runBuilt } from "./events/run-built.mjs";

await runBuilt(() => import("./events/listen-program.mjs"), process.argv.slice(2));
