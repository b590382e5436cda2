import { Refusal } from "@tillgate/contract";
import type { Meanings } from "../ledger-function.js";

/** What a shopper who is not active, or a currency that is not, cannot do with own money. */
export const shopperCannot: Meanings = { TG053: Refusal.NoWallet };
