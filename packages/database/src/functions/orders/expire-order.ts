import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** Expires one order if it is pending and its time is over; answers whether this call did it. */
export const expireOrder = ledgerFunction({
  name: "expire_order",
  takes: { orderId: "text", mode: "mode" },
  answers: value(z.boolean()),
});
