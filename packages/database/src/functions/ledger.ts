import { Refusal } from "@tillgate/contract";
import type { Meanings } from "./ledger-function.js";

/** What every function refuses that moves money between wallets. */
export const moneyDoesNotMove: Meanings = { TG020: Refusal.InsufficientBalance, TG022: "wallet closed" };
