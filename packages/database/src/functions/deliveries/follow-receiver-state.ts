import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** Lets up to `limit` waiting deliveries of one receiver follow its state; answers how many did, null when none waits. */
export const followReceiverState = ledgerFunction({
  name: "follow_receiver_state",
  takes: { limit: "int" },
  answers: value(z.int().nullable()),
});
