import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** The key under which wrong PINs are counted. */
export const pinCounterKey = ledgerFunction({
  name: "pin_counter_key",
  takes: { kind: "text", subject: "text" },
  answers: value(z.instanceof(Buffer)),
});
