import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** Holds a leased delivery whose receiver is paused; answers false when it was resumed meanwhile. */
export const holdDelivery = ledgerFunction({
  name: "hold_delivery",
  takes: { delivery: "uuid" },
  answers: value(z.boolean()),
});
