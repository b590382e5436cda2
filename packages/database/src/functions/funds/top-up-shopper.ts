import { Refusal } from "@tillgate/contract";
import { z } from "zod";
import { shopperCannot } from "../conversions/require-active-shopper.js";
import { moneyDoesNotMove } from "../ledger/book-transfers.js";
import { ledgerFunction, value } from "../ledger-function.js";

/** A shopper of the sandbox gets money, once a key and amount; answers the transfer, also at a repeat. */
export const topUpShopper = ledgerFunction({
  name: "top_up_shopper",
  takes: {
    walletUserId: "uuid",
    mode: "mode",
    currency: "text",
    amount: "bigint",
    key: "text",
    transferId: "uuid",
  },
  answers: value(z.string()),
  refuses: { ...moneyDoesNotMove, ...shopperCannot, TG060: Refusal.ReferenceTaken },
});
