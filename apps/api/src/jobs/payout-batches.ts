import { type Loop, startLoop } from "@tillgate/service";
import type { Context } from "../context.js";
import { claimLine, workOnLine } from "../operations/payout-batches/work-on-lines.js";

/** How often lines of files of payouts are looked for, in milliseconds: somebody looks at their progress. */
const LOOK_EVERY_MS = 1_000;
/** How many lines one run works on: the process can end in between. */
const LINES_A_RUN = 20;

/** Prices and pays the lines of files of payouts, one after the other. Any number of processes may do so side by side. */
export const startPayoutBatches = (context: Context): Loop =>
  startLoop({
    name: "files of payouts",
    intervalMs: LOOK_EVERY_MS,
    log: context.log,
    async run() {
      for (let worked = 0; worked < LINES_A_RUN; worked += 1) {
        const line = await claimLine(context);
        if (line === undefined) return undefined;
        await workOnLine(context, line);
      }
      return 0;
    },
  });
