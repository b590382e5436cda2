import { z } from "zod";
import { ledgerFunction, value } from "./ledger-function.js";

/** Writes `report.ready` of the next closed day with entries, for up to `limit` wallets; returns how many cursors moved. */
export const writeReportEvents = ledgerFunction({
  name: "write_report_events",
  parameters: { limit: "int" },
  returns: value(z.int()),
});

/** Writes missing checkpoints of the totals of up to `limit` wallets; returns the number of wallets that lacked any. */
export const writeCheckpoints = ledgerFunction({
  name: "write_checkpoints",
  parameters: { limit: "int" },
  returns: value(z.int()),
});
