import { Refusal } from "@tillgate/contract";
import { z } from "zod";
import { moneyDoesNotMove } from "../ledger/book-transfers.js";
import { ledgerFunction, value } from "../ledger-function.js";
import { shopperCannot } from "./require-active-shopper.js";

/** A shopper makes a conversion that is held; answers its transfer, also at a repeat. */
export const convertMoney = ledgerFunction({
  name: "convert_money",
  takes: { conversionId: "uuid", walletUserId: "uuid", transferId: "uuid" },
  answers: value(z.string()),
  refuses: {
    ...moneyDoesNotMove,
    ...shopperCannot,
    TG051: Refusal.ConversionNotFound,
    TG052: Refusal.ConversionExpired,
  },
});
