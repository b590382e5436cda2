import { Refusal } from "@tillgate/contract";
import { moneyDoesNotMove } from "../ledger/book-transfer.js";
import { ledgerFunction, row } from "../ledger-function.js";
import { orderIsGone } from "../orders/lock-payable-order.js";
import { orderRow } from "../rows.js";

/** A shopper pays an order from a wallet in another currency, exactly as quoted. */
export const payOrderByQuote = ledgerFunction({
  name: "pay_order_by_quote",
  takes: {
    orderId: "text",
    mode: "mode",
    quoteId: "uuid",
    walletUserId: "uuid",
    trxId: "text",
    transferId: "uuid",
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
