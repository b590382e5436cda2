import { z } from "zod";
import { ledgerFunction, nothing, row, value } from "./ledger-function.js";
import { toRowSchema } from "./rows.js";

/** The turn below which every event is committed or rolled back; `process` is the server process that delays it, if any. */
export const eventHorizon = ledgerFunction({
  name: "event_horizon",
  parameters: {},
  returns: row(toRowSchema(z.object({ turn: z.bigint(), process: z.int().nullable() }))),
});

/** Deletes up to `limit` events older than `days` that have no unfinished delivery, with their deliveries and attempts; returns how many. */
export const pruneEvents = ledgerFunction({
  name: "prune_events",
  parameters: { days: "int", limit: "int" },
  returns: value(z.int()),
});

/** Raises the event floor to the next transaction ID, unless it is already above `turn`. Commit before calling `event_horizon`. */
export const raiseEventFloor = ledgerFunction({
  name: "raise_event_floor",
  parameters: { turn: "bigint" },
  returns: nothing,
});
