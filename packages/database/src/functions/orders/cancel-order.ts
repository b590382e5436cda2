import { ledgerFunction, row } from "../ledger-function.js";
import { orderRow } from "../rows.js";
import { orderIsGone } from "./lock-payable-orders.js";

/** Cancels an order that is still payable. */
export const cancelOrder = ledgerFunction({
  name: "cancel_order",
  takes: { orderId: "text", mode: "mode", requestId: "text?" },
  answers: row(orderRow),
  refuses: orderIsGone,
});
