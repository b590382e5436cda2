import { Refusal } from "@tillgate/contract";
import { notAnAdministrator } from "../audit/record-change.js";
import { moneyDoesNotMove } from "../ledger/book-transfers.js";
import { ledgerFunction, row } from "../ledger-function.js";
import { refundRow } from "../rows.js";

/** An administrator decides on a refund that waits, with an audit record. */
export const decideRefund = ledgerFunction({
  name: "decide_refund",
  takes: {
    refundId: "text",
    approve: "boolean",
    transferId: "uuid",
    administratorId: "uuid",
    reason: "text?",
  },
  answers: row(refundRow),
  refuses: {
    ...moneyDoesNotMove,
    ...notAnAdministrator,
    TG004: Refusal.RefundNotFound,
    TG044: Refusal.AlreadyDecided,
  },
});
