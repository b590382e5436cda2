import { z } from "zod";
import { ledgerFunction, value } from "./ledger-function.js";

/** A shopper makes a conversion that is held; answers its transfer, also at a repeat. */
export const convertMoney = ledgerFunction({
  name: "convert_money",
  takes: { conversionId: "uuid", walletUserId: "uuid", transferId: "uuid" },
  answers: value(z.string()),
});
