import { z } from "zod";
import { ledgerFunction, row } from "../ledger-function.js";
import { columnsOf } from "../rows.js";

/** Leases due deliveries to a worker, in turn over the queues, within bounds that hold over all processes. */
export const claimDeliveries = ledgerFunction({
  name: "claim_deliveries",
  takes: {
    worker: "uuid",
    leaseMs: "int",
    places: "int",
    carefulPlaces: "int",
    from: "uuid",
    after: "uuid",
    carefulAfter: "uuid",
    bounds: "jsonb",
  },
  answers: row(
    columnsOf(
      z.object({
        ids: z.array(z.uuid()),
        classes: z.array(z.enum(["prompt", "first", "careful", "slow"])),
        next_from: z.guid(),
        next_after: z.guid(),
        next_careful_after: z.guid(),
        visited: z.int(),
        has_more: z.boolean(),
      }),
    ),
  ),
});
