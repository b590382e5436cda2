import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** Lets an order that could not be expired wait for a while; answers how often it has failed. */
export const recordExpiryFailure = ledgerFunction({
  name: "record_expiry_failure",
  takes: { orderId: "text", error: "text" },
  answers: value(z.int()),
});
