import { Refusal } from "@tillgate/contract";
import { z } from "zod";
import { moneyDoesNotMove } from "./ledger.js";
import { ledgerFunction, type Meanings, value } from "./ledger-function.js";

/** What a shopper who is not active, or a currency that is not, cannot do with own money. */
export const shopperCannot: Meanings = { TG053: Refusal.NoWallet };

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
