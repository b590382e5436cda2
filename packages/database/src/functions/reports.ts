import { z } from "zod";
import { ledgerFunction, value } from "./ledger-function.js";

/** Writes missing checkpoints of the totals of up to `limit` wallets; returns the number of wallets, 0 if none was missing. */
export const writeCheckpoints = ledgerFunction({
  name: "write_checkpoints",
  parameters: { limit: "int" },
  returns: value(z.int()),
});
