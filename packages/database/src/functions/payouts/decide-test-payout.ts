import { notAnAdministrator } from "../audit/record-change.js";
import { ledgerFunction, row } from "../ledger-function.js";
import { payoutRow } from "../rows.js";
import { payoutIsNotSettled } from "./decide-payout.js";

/** A merchant decides on a payout of its own that waits, in the sandbox only, with an audit record. */
export const decideTestPayout = ledgerFunction({
  name: "decide_test_payout",
  takes: {
    payoutId: "text",
    merchantId: "uuid",
    approve: "boolean",
    trxId: "text",
    transferId: "uuid",
    credentialId: "uuid",
    requestId: "text",
  },
  answers: row(payoutRow),
  refuses: { ...payoutIsNotSettled, ...notAnAdministrator },
});
