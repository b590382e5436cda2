import { ledgerFunction, row } from "../ledger-function.js";
import { payoutRow } from "../rows.js";
import { payoutIsNotSettled } from "./decide-payout.js";

/** A merchant decides on a payout of its own that waits, in the sandbox only. */
export const decideTestPayout = ledgerFunction({
  name: "decide_test_payout",
  takes: {
    payoutId: "text",
    merchantId: "uuid",
    approve: "boolean",
    trxId: "text",
    transferId: "uuid",
  },
  answers: row(payoutRow),
  refuses: payoutIsNotSettled,
});
