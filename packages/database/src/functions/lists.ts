import { z } from "zod";
import { ledgerFunction, value } from "./ledger-function.js";

/** Folds up to `limit` changes of the lists' totals into the counters; answers how many. */
export const foldCounts = ledgerFunction({
  name: "fold_counts",
  takes: { limit: "int" },
  answers: value(z.number()),
});
