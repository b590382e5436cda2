import type { Router } from "express";
import { z } from "zod";
import { parseDecimal } from "../amounts.js";
import { limits } from "../config.js";
import { lockOrder, type Order } from "../orders/order.js";
import { RefundRejected, refundOrder } from "../orders/refund-order.js";
import { deleteRefund, listRefunds } from "../orders/refunds.js";
import { toRefundView } from "./order-view.js";
import * as parameter from "./parameters.js";
import {
  plainError,
  type RestContext,
  RestError,
  readParameters,
  readPathId,
  setListHeaders,
} from "./rest-request.js";

const writable = {
  amount: parameter.text.default(""),
  reason: parameter.text.default(""),
  api_refund: parameter.boolean.default(true),
  meta_data: z
    .array(z.object({ key: parameter.text, value: parameter.text }))
    .max(limits.metaEntries)
    .default([]),
};

const cannotCreate = (message: string): RestError =>
  plainError("woocommerce_rest_cannot_create_order_refund", message, 500);

const gatewayError = ({ payment_method }: Order): string =>
  payment_method === "tillgate"
    ? "The payment gateway for this order does not support automatic refunds."
    : "The payment gateway for this order does not exist.";

export function addRefundRoutes(router: Router, { database, storeUrl }: RestContext): void {
  router.get("/orders/:order/refunds", async (request, response) => {
    const { page, per_page: perPage } = parameter.parseParameters(
      parameter.collection,
      readParameters(request),
    );
    const refunds = await listRefunds(database, [readPathId(request, "order")]);
    setListHeaders(request, response, { storeUrl, total: refunds.length, page, perPage });
    response.json(refunds.slice((page - 1) * perPage, page * perPage).map(toRefundView));
  });

  router.post("/orders/:order/refunds", async (request, response) => {
    const written = parameter.parseParameters(writable, readParameters(request));
    const orderId = readPathId(request, "order");
    const amount = parseDecimal(written.amount);
    const refund = await database
      .transaction(async (transaction) => {
        const order = await lockOrder(transaction, orderId);
        if (!order) throw plainError("woocommerce_rest_invalid_order_id", "Invalid order ID.", 404);
        if (amount === undefined) throw cannotCreate("Invalid refund amount.");
        if (amount < 0n) {
          const message = "Refund amount must be greater than zero.";
          throw plainError("woocommerce_rest_invalid_order_refund", message, 400);
        }
        const { reason, meta_data: metaData } = written;
        const created = await refundOrder(transaction, order, { amount, reason, metaData });
        // No gateway in this shop can refund, so the transaction is rolled back.
        if (written.api_refund) throw cannotCreate(gatewayError(order));
        return created;
      })
      .catch((error: unknown) => {
        throw error instanceof RefundRejected ? cannotCreate(error.message) : error;
      });
    response.status(201).json(toRefundView(refund));
  });

  router.delete("/orders/:order/refunds/:id", async (request, response) => {
    const id = readPathId(request, "id");
    const refunds = await listRefunds(database, [readPathId(request, "order")]);
    const refund = refunds.find((candidate) => candidate.id === id);
    if (!refund) throw new RestError("woocommerce_rest_shop_order_refund_invalid_id", "Invalid ID.", 404);
    await database.transaction((transaction) => deleteRefund(transaction, refund));
    response.json(toRefundView(refund));
  });
}
