import { Refusal } from "@tillgate/contract";
import { moneyDoesNotMove } from "../ledger/book-transfers.js";
import { ledgerSet, row } from "../ledger-function.js";
import { orderIsGone } from "../orders/lock-payable-orders.js";
import { orderRow } from "../rows.js";

/**
 * Shoppers pay orders: from a wallet in the order's currency (`payerAccountId`), or from one in another currency exactly as
 * quoted (`quoteId`, by its shopper `walletUserId`). A top-up fills the wallet first, for the sandbox's test shopper.
 */
export const payOrders = ledgerSet({
  name: "pay_orders",
  takes: {
    orderId: "text",
    mode: "mode",
    payerAccountId: "uuid?",
    quoteId: "uuid?",
    walletUserId: "uuid?",
    trxId: "text",
    transferId: "uuid",
    topUpTransferId: "uuid?",
  },
  answers: row(orderRow),
  refuses: {
    ...orderIsGone,
    ...moneyDoesNotMove,
    TG012: Refusal.NotPayableNow,
    TG024: Refusal.NoWallet,
    TG046: Refusal.ShopperQuoteUnusable,
  },
});
