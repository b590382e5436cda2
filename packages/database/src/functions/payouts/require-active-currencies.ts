import { Refusal } from "@tillgate/contract";
import type { Meanings } from "../ledger-function.js";

/** The refusals of every payout with an inactive currency: the sender's, the receiver's. */
export const currencyIsInactive: Meanings = {
  TG049: Refusal.MerchantWalletNotFound,
  TG050: Refusal.InvalidReceiverCurrency,
};
