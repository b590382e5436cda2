import { Refusal } from "@tillgate/contract";
import type { Meanings } from "../ledger-function.js";

/** What every payout refuses once a currency of it is inactive: the sender's, the receiver's. */
export const currencyIsInactive: Meanings = {
  TG049: Refusal.MerchantWalletNotFound,
  TG050: Refusal.InvalidReceiverCurrency,
};
