import { Refusal } from "@tillgate/contract";
import type { Meanings } from "../ledger-function.js";

/** The refusals of every function that needs a payable order. */
export const orderIsGone: Meanings = {
  TG001: Refusal.OrderNotFound,
  TG010: "order settled",
  TG011: "order overdue",
};
