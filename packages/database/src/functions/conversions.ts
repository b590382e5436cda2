import { z } from "zod";
import { ledgerFunction, value } from "./ledger-function.js";

/** Executes a shopper's quoted conversion; returns the transfer's ID, even on a repeat. */
export const convertMoney = ledgerFunction({
  name: "convert_money",
  parameters: { conversionId: "uuid", walletUserId: "uuid", transferId: "uuid" },
  returns: value(z.string()),
});
