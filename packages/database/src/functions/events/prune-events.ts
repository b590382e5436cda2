import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** Deletes up to `limit` events older than `days`, with their deliveries and attempts; answers how many. */
export const pruneEvents = ledgerFunction({
  name: "prune_events",
  takes: { days: "int", limit: "int" },
  answers: value(z.int()),
});
