import { z } from "zod";
import { ledgerFunction, value } from "./ledger-function.js";

/** Writes the `report.ready` event of the next closed day with entries, for up to `limit` wallets; returns how many cursors moved. */
export const writeReportEvents = ledgerFunction({
  name: "write_report_events",
  parameters: { limit: "int" },
  returns: value(z.int()),
});

/** Writes the missing checkpoints of up to `limit` wallets' totals; returns the number of wallets that lacked checkpoints. */
export const writeCheckpoints = ledgerFunction({
  name: "write_checkpoints",
  parameters: { limit: "int" },
  returns: value(z.int()),
});
