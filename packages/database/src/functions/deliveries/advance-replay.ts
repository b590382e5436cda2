import { ledgerFunction, nothing } from "../ledger-function.js";

/** Gives the next event of a running replay to the queue, or completes the replay. */
export const advanceReplay = ledgerFunction({
  name: "advance_replay",
  takes: { replay: "uuid" },
  answers: nothing,
});
