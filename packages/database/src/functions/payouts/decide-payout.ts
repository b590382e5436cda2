import { Refusal } from "@tillgate/contract";
import { notAnAdministrator } from "../audit/record-change.js";
import { moneyDoesNotMove } from "../ledger/book-transfers.js";
import { ledgerFunction, row } from "../ledger-function.js";
import { payoutRow } from "../rows.js";
import { currencyIsInactive } from "./require-active-currencies.js";

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
  refuses: {
    ...moneyDoesNotMove,
    ...currencyIsInactive,
    ...notAnAdministrator,
    TG003: Refusal.PayoutNotFound,
    TG044: Refusal.AlreadyDecided,
    TG045: Refusal.RecipientInactive,
  },
});
