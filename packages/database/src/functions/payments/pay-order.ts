import { Refusal } from "@tillgate/contract";
import { moneyDoesNotMove } from "../ledger/book-transfer.js";
import { ledgerFunction, row } from "../ledger-function.js";
import { orderIsGone } from "../orders/lock-payable-order.js";
import { orderRow } from "../rows.js";

/** A shopper's wallet in the order's currency pays an order. A top-up fills it first, for the sandbox's test shopper. */
export const payOrder = ledgerFunction({
  name: "pay_order",
  takes: {
    orderId: "text",
    mode: "mode",
    payerAccountId: "uuid",
    trxId: "text",
    transferId: "uuid",
    topUpTransferId: "uuid?",
  },
  answers: row(orderRow),
  refuses: { ...orderIsGone, ...moneyDoesNotMove, TG012: Refusal.NotPayableNow, TG024: Refusal.NoWallet },
});
