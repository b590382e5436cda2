import { ledgerGroup, row } from "./ledger-function.js";
import { orderRow } from "./rows.js";

/** A passkey's signature for a payment, verified by the caller. Bytes in base64. */
export type PasskeyConfirmation = {
  challenge_id: string;
  passkey_id: string;
  /** The passkey's counter before and after the signature. */
  counter: number;
  new_counter: number;
  /** The expected origin in the client data. */
  origin: string;
  client_data: string;
  authenticator_data: string;
  signature: string;
};

/**
 * Pays from a wallet in the order's currency (`payerAccountId`), or in another currency exactly as quoted (`quoteId`, by its shopper `walletUserId`).
 * With `topUpTransferId`, the sandbox's test shopper is topped up before paying. `confirmation` is a {@link PasskeyConfirmation} as JSON, stored as
 * evidence.
 */
export const payOrders = ledgerGroup({
  name: "pay_orders",
  parameters: {
    orderId: "text",
    mode: "mode",
    payerAccountId: "uuid?",
    quoteId: "uuid?",
    walletUserId: "uuid?",
    trxId: "text",
    transferId: "uuid",
    topUpTransferId: "uuid?",
    confirmation: "jsonb?",
    requestId: "text?",
  },
  returns: row(orderRow),
});
