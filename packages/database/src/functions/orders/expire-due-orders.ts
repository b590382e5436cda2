import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** Expires up to `limit` due orders of all merchants, the longest due first; answers their ids. */
export const expireDueOrders = ledgerFunction({
  name: "expire_due_orders",
  takes: { limit: "int" },
  answers: value(z.string()),
});
