import { ledgerFunction, ledgerGroup, row, rowOnce } from "./ledger-function.js";
import { payoutRow } from "./rows.js";

/** Approves or rejects a pending payout on behalf of an administrator, with an audit record. */
export const decidePayout = ledgerFunction({
  name: "decide_payout",
  parameters: {
    payoutId: "text",
    approve: "boolean",
    trxId: "text",
    transferId: "uuid",
    administratorId: "uuid",
    reason: "text?",
  },
  returns: row(payoutRow),
});

/** Approves or rejects a pending sandbox payout at its merchant's request, with an audit record. */
export const decideTestPayout = ledgerFunction({
  name: "decide_test_payout",
  parameters: {
    payoutId: "text",
    merchantId: "uuid",
    approve: "boolean",
    trxId: "text",
    transferId: "uuid",
    credentialId: "uuid",
    requestId: "text",
  },
  returns: row(payoutRow),
});

/**
 * Executes payouts, or holds their funds for approval. `amount` and `fee` are minor units of the sender currency, `receiverAmount` of the
 * receiver currency.
 */
export const executePayouts = ledgerGroup({
  name: "execute_payouts",
  parameters: {
    payoutId: "text",
    merchantId: "uuid",
    mode: "mode",
    idempotencyKey: "text",
    reference: "text",
    quoteId: "uuid?",
    walletUserId: "uuid",
    recipientAccountId: "uuid",
    amount: "bigint",
    senderCurrency: "text",
    fee: "bigint",
    rate: "numeric",
    receiverAmount: "bigint",
    receiverCurrency: "text",
    description: "text?",
    trxId: "text",
    transferId: "uuid",
    needsApproval: "boolean",
    metadata: "text?",
    traceparent: "text?",
  },
  returns: rowOnce(payoutRow),
});
