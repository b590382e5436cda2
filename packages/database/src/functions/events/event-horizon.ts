import { z } from "zod";
import { ledgerFunction, row } from "../ledger-function.js";
import { columnsOf } from "../rows.js";

/** Up to which turn every event is decided; `process` is the server process that holds it back, if one does. */
export const eventHorizon = ledgerFunction({
  name: "event_horizon",
  takes: {},
  answers: row(columnsOf(z.object({ turn: z.bigint(), process: z.int().nullable() }))),
});
