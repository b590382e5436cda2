import { Refusal } from "@tillgate/contract";
import { z } from "zod";
import { notAnAdministrator } from "../audit/record-change.js";
import { moneyDoesNotMove } from "../ledger/book-transfers.js";
import { ledgerFunction, row } from "../ledger-function.js";
import { columnsOf } from "../rows.js";

/** A second administrator decides on a request. */
export const decideRequest = ledgerFunction({
  name: "decide_request",
  takes: { requestId: "uuid", approve: "boolean", transferId: "uuid", administratorId: "uuid" },
  answers: row(
    columnsOf(
      z.object({
        id: z.string(),
        kind: z.enum(["deposit", "withdrawal", "single_limit"]),
        status: z.enum(["approved", "rejected"]),
        currency: z.string(),
        amount: z.bigint(),
        transfer_id: z.string().nullable(),
      }),
    ),
  ),
  refuses: {
    ...moneyDoesNotMove,
    ...notAnAdministrator,
    TG044: Refusal.AlreadyDecided,
    TG061: Refusal.RequestNotFound,
    TG062: Refusal.NeedsSecondAdministrator,
  },
});
