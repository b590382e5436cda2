import { type Loop, startLoop } from "@tillgate/service";
import type { Context } from "../context.js";
import { askForNightlyProof, runProof } from "../operations/administration/ledger-proofs.js";

/** How often a proof that was asked for is looked for, in milliseconds: somebody waits for it. */
const LOOK_EVERY_MS = 2_000;

/** Proves the ledger at night and when an administrator asks for it, in one process at a time. */
export const startLedgerProofs = (context: Context): Loop =>
  startLoop({
    name: "proofs of the ledger",
    intervalMs: LOOK_EVERY_MS,
    log: context.log,
    async run() {
      await askForNightlyProof(context);
      await runProof(context);
      return undefined;
    },
  });
