import { z } from "zod";
import { ledgerFunction, value } from "./ledger-function.js";

/** Writes the `report.ready` event of the next closed day of up to `limit` wallets; returns the number of wallets, 0 if none was due. */
export const writeReportEvents = ledgerFunction({
  name: "write_report_events",
  parameters: { limit: "int" },
  returns: value(z.int()),
});

/** Writes missing checkpoints of the totals of up to `limit` wallets; returns the number of wallets, 0 if none was missing. */
export const writeCheckpoints = ledgerFunction({
  name: "write_checkpoints",
  parameters: { limit: "int" },
  returns: value(z.int()),
});
