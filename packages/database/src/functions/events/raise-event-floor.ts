import { ledgerFunction, nothing } from "../ledger-function.js";

/** Raises the floor of events above a turn. Commit it before calling `event_horizon`. */
export const raiseEventFloor = ledgerFunction({
  name: "raise_event_floor",
  takes: { turn: "bigint" },
  answers: nothing,
});
