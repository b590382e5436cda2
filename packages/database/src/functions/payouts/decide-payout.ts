import { Refusal } from "@tillgate/contract";
import { notAnAdministrator } from "../audit/record-change.js";
import { moneyDoesNotMove } from "../ledger/book-transfers.js";
import { ledgerFunction, type Meanings, row } from "../ledger-function.js";
import { payoutRow } from "../rows.js";
import { currencyIsInactive } from "./require-active-currencies.js";

/** What every decision on a payout that waits refuses. */
export const payoutIsNotSettled: Meanings = {
  ...moneyDoesNotMove,
  ...currencyIsInactive,
  TG003: Refusal.PayoutNotFound,
  TG044: Refusal.AlreadyDecided,
  TG045: Refusal.RecipientInactive,
};

/** An administrator decides on a payout that waits, with an audit record. */
export const decidePayout = ledgerFunction({
  name: "decide_payout",
  takes: {
    payoutId: "text",
    approve: "boolean",
    trxId: "text",
    transferId: "uuid",
    administratorId: "uuid",
    reason: "text?",
  },
  answers: row(payoutRow),
  refuses: { ...payoutIsNotSettled, ...notAnAdministrator },
});
