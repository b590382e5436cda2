import { z } from "zod";
import { ledgerFunction, value } from "./ledger-function.js";

/** Folds up to `limit` changes of the lists' totals into the counters; answers how many. */
export const rollUpCounters = ledgerFunction({
  name: "roll_up_counters",
  takes: { limit: "int" },
  answers: value(z.number()),
});
