import { z } from "zod";
import { ledgerFunction, row } from "../ledger-function.js";

/** Up to which turn every event is decided; `process` is the server process that holds it back, if one does. */
export const eventHorizon = ledgerFunction({
  name: "event_horizon",
  takes: {},
  answers: row(z.object({ turn: z.bigint(), process: z.int().nullable() })),
});
