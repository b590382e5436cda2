import { z } from "zod";
import { ledgerFunction, value } from "./ledger-function.js";

/** Executes a shopper's quoted conversion; returns its transfer, including on a repeat. */
export const convertMoney = ledgerFunction({
  name: "convert_money",
  parameters: { conversionId: "uuid", walletUserId: "uuid", transferId: "uuid" },
  returns: value(z.string()),
});
