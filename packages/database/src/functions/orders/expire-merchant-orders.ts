import { z } from "zod";
import { ledgerFunction, value } from "../ledger-function.js";

/** Expires up to `limit` due orders of one merchant and mode; answers their ids. */
export const expireMerchantOrders = ledgerFunction({
  name: "expire_merchant_orders",
  takes: { merchantId: "uuid", mode: "mode", limit: "int" },
  answers: value(z.string()),
});
