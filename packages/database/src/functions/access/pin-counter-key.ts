import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** The key of what wrong PINs are counted under. */
export const pinCounterKey = ledgerFunction({
  name: "pin_counter_key",
  takes: { kind: "text", subject: "text" },
  answers: value(z.instanceof(Buffer)),
});
