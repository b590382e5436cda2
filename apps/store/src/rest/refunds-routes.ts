import type { Router } from "express";
import { z } from "zod";
import { parseDecimal } from "../amounts.js";
import { findOrder, lockOrder } from "../orders/order.js";
import { type RefundedItem, RefundRefused, refundOrder } from "../orders/refund-order.js";
import { deleteRefund, listRefunds, type Refund } from "../orders/refund-records.js";
import { refundView } from "./order-view.js";
import * as parameter from "./parameters.js";
import { plainError, RestError } from "./rest-error.js";
import { describeList, parametersOf, pathId, queryOf, type RestContext, route } from "./rest-request.js";

const amount = z.union([z.number(), z.string()]).transform((value) => parseDecimal(value));

const writable = {
  amount: parameter.text.optional(),
  reason: parameter.text.optional(),
  api_refund: parameter.boolean.default(true),
  api_restock: parameter.boolean.default(true),
  meta_data: parameter.metaData.default([]),
  line_items: parameter
    .list(
      parameter.object({
        id: parameter.integer(0).optional(),
        quantity: parameter.integer(0).optional(),
        refund_total: amount.optional(),
      }),
    )
    .default([]),
};

type Written = ReturnType<typeof readRefund>;

const readRefund = (given: Record<string, unknown>) => parameter.readParameters(writable, given);

const cannotCreate = "woocommerce_rest_cannot_create_order_refund";

/** The amount of a refund: as given, or the sum of the items when every one names its total. */
function amountOf(written: Written): bigint {
  if (written.amount !== undefined) {
    const minor = parseDecimal(written.amount);
    if (minor === undefined) throw plainError(cannotCreate, "Invalid refund amount.", 500);
    return minor;
  }
  const totals = written.line_items.map((item) => item.refund_total);
  return totals.reduce<bigint>((sum, total) => sum + (total ?? 0n), 0n);
}

const itemsOf = (written: Written): RefundedItem[] =>
  written.line_items.flatMap(({ id, quantity, refund_total }) =>
    id ? [{ itemId: BigInt(id), quantity: quantity ?? 0, total: refund_total ?? 0n }] : [],
  );

/** The routes of `/orders/{id}/refunds`. */
export function addRefundRoutes(router: Router, { database, links }: RestContext): void {
  const existing = async (orderId: bigint, id: bigint): Promise<Refund> => {
    const refund = (await listRefunds(database, [orderId])).find((one) => one.id === id);
    if (refund) return refund;
    throw new RestError("woocommerce_rest_shop_order_refund_invalid_id", "Invalid ID.", 404);
  };

  router.get(
    "/orders/:order/refunds",
    route(async (request, response) => {
      const asked = parameter.readParameters(parameter.collection, queryOf(request));
      const refunds = await listRefunds(database, [pathId(request, "order")]);
      const start = asked.offset ?? (asked.page - 1) * asked.per_page;
      const page = (asked.order === "asc" ? refunds.toReversed() : refunds).slice(
        start,
        start + asked.per_page,
      );
      describeList(request, response, links, {
        total: refunds.length,
        page: asked.page,
        perPage: asked.per_page,
      });
      response.json(page.map((refund) => refundView(refund, links)));
    }),
  );

  router.post(
    "/orders/:order/refunds",
    route(async (request, response) => {
      const written = readRefund(parametersOf(request));
      const orderId = pathId(request, "order");
      if (!(await findOrder(database, orderId))) {
        throw plainError("woocommerce_rest_invalid_order_id", "Invalid order ID.", 404);
      }
      const minor = amountOf(written);
      if (minor < 0n) {
        const message = "Refund amount must be greater than zero.";
        throw plainError("woocommerce_rest_invalid_order_refund", message, 400);
      }
      const refund = await database
        .transaction(async (transaction) => {
          const order = await lockOrder(transaction, orderId);
          if (!order) throw new RefundRefused("Invalid order ID.");
          return refundOrder(transaction, order, {
            amount: minor,
            reason: written.reason ?? "",
            throughGateway: written.api_refund,
            restock: written.api_restock,
            items: itemsOf(written),
            metaData: written.meta_data,
          });
        })
        .catch((error: unknown) => {
          if (error instanceof RefundRefused) throw plainError(cannotCreate, error.message, 500);
          throw error;
        });
      response
        .status(201)
        .location(links.of(`orders/${orderId}/refunds/${refund.id}`))
        .json(refundView(refund, links));
    }),
  );

  router.get(
    "/orders/:order/refunds/:id",
    route(async (request, response) => {
      const refund = await existing(pathId(request, "order"), pathId(request, "id"));
      response.json(refundView(refund, links));
    }),
  );

  router.delete(
    "/orders/:order/refunds/:id",
    route(async (request, response) => {
      const { force } = parameter.readParameters(
        { force: parameter.boolean.default(true) },
        parametersOf(request),
      );
      const refund = await existing(pathId(request, "order"), pathId(request, "id"));
      if (!force) {
        const message = "The shop_order_refund does not support trashing.";
        throw new RestError("woocommerce_rest_trash_not_supported", message, 501);
      }
      await database.transaction((transaction) => deleteRefund(transaction, refund));
      response.json(refundView(refund, links));
    }),
  );
}
