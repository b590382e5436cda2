import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** Leaves an order that could not be expired alone for a while; answers how often it has failed. */
export const recordExpiryFailure = ledgerFunction({
  name: "record_expiry_failure",
  takes: { orderId: "text", error: "text" },
  answers: value(z.int()),
});
