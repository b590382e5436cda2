import { Refusal } from "@tillgate/contract";
import type { Meanings } from "../ledger-function.js";

/** What every function refuses that wants an order which can still be paid or cancelled. */
export const orderIsGone: Meanings = {
  TG001: Refusal.OrderNotFound,
  TG010: "order settled",
  TG011: "order overdue",
};
