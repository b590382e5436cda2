import {
  consoleCancelRequestSchema,
  consoleOrdersQuerySchema,
  consoleRefundRequestSchema,
  Refusal,
} from "@tillgate/contract";
import type { Request, Router } from "express";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { browseOrders } from "../../operations/orders/browse-orders.js";
import { cancelOrder } from "../../operations/orders/cancel-order.js";
import { getOrder } from "../../operations/orders/get-order.js";
import { viewOrder } from "../../operations/orders/view-order.js";
import { refundPayment, wrongRefundFields } from "../../operations/refunds/refund-payment.js";
import { timelineOf } from "../../operations/timelines/timeline-of.js";
import { succeed } from "../shared/answer.js";
import { parse, parseAndCheck } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { requestIdOf } from "../shared/trace.js";
import { allowedInModeOn } from "./caller.js";
import { shapeList } from "./list-shapes.js";
import { shapeOrder, shapeOrderView, shapeRefund, shapeTimeline } from "./order-shapes.js";

const BASE = "/merchants/:merchant/:mode/orders";

/** A merchant's orders: list, page, timeline, cancel and refund. */
export function serveOrders(router: Router, context: Context): void {
  const allowed = allowedInModeOn(context);
  const orderIdOf = (request: Request): string => pathParameter(request, "order");

  serve(router, BASE, {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const query = parse(consoleOrdersQuerySchema, request.query);
        const page = await browseOrders(context, access, { ...query, timeZone: access.timeZone });
        const items = await Promise.all(page.items.map((item) => shapeOrder(context, item)));
        succeed(response, "Orders retrieved", await shapeList(context, page, items));
      }),
    ],
  });

  serve(router, `${BASE}/:order`, {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const view = await viewOrder(context, access, orderIdOf(request));
        succeed(response, "Order retrieved", await shapeOrderView(context, view));
      }),
    ],
  });

  serve(router, `${BASE}/:order/timeline`, {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const { id: orderId } = await getOrder(context, access, orderIdOf(request));
        const timeline = await timelineOf(context, access, { orderId });
        succeed(response, "Timeline retrieved", await shapeTimeline(context, timeline));
      }),
    ],
  });

  serve(router, `${BASE}/:order/cancel`, {
    post: [
      allowed("orders.cancel", async ({ by, ...access }, request, response) => {
        const { reason = null } = parse(consoleCancelRequestSchema, request.body);
        const act = { by, reason, requestId: requestIdOf(response) };
        const order = await cancelOrder(context, access, orderIdOf(request), act);
        succeed(response, "Order cancelled", await shapeOrder(context, order));
      }),
    ],
  });

  serve(router, `${BASE}/:order/refunds`, {
    post: [
      allowed("refunds.create", async ({ by, ...access }, request, response) => {
        const { trxId } = await getOrder(context, access, orderIdOf(request));
        if (trxId === null) throw new OperationError(Refusal.TransactionNotFound);
        const fields = await parseAndCheck(consoleRefundRequestSchema, request.body, ({ amount }) =>
          wrongRefundFields(context, access, { transaction_id: trxId, amount }),
        );
        const act = { by, reason: fields.reason ?? null, requestId: requestIdOf(response) };
        const asked = { ...fields, transaction_id: trxId };
        const { refund } = await refundPayment(context, access, asked, act);
        succeed(response, "Refund created", await shapeRefund(context, refund));
      }),
    ],
  });
}
