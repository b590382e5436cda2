import { z } from "zod";
import { ledgerFunction, value } from "./ledger-function.js";

/** Rolls up to `limit` changes of list totals into the counters; returns how many. */
export const rollUpCounters = ledgerFunction({
  name: "roll_up_counters",
  parameters: { limit: "int" },
  returns: value(z.number()),
});
