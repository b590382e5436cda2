import {
  consoleCancelRequestSchema,
  consoleOrdersQuerySchema,
  consoleRefundRequestSchema,
  consoleRefundsQuerySchema,
  ErrorCode,
} from "@tillgate/contract";
import type { Request, Router } from "express";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { cancelOrder } from "../../money/orders/cancel.js";
import { browseOrders } from "../../money/orders/list.js";
import { getOrder, viewOrder } from "../../money/orders/read.js";
import { checkRefundFields, refundPayment } from "../../money/refunds/create.js";
import { browseRefunds, getRefund } from "../../money/refunds/read.js";
import { readTimeline } from "../../reports/timeline.js";
import { parse, parseAndCheck, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { getRequestId } from "../shared/trace.js";
import { withRightInMode } from "./caller.js";
import { toList, toOrder, toOrderView, toRefund, toRefunds, toTimeline } from "./shapes.js";

const ORDERS = "/merchants/:merchant/:mode/orders";

export function serveOrders(router: Router, context: Context): void {
  const allowed = withRightInMode(context);
  const readOrderId = (request: Request): string => pathParameter(request, "order");

  serve(router, ORDERS, {
    get: allowed("payments.view", async (access, request, response) => {
      const query = parse(consoleOrdersQuerySchema, request.query);
      const page = await browseOrders(context, access, { ...query, timeZone: access.timeZone });
      const items = await Promise.all(page.items.map((item) => toOrder(context, item)));
      succeed(response, "Orders retrieved", await toList(context, page, items));
    }),
  });

  serve(router, `${ORDERS}/:order`, {
    get: allowed("payments.view", async (access, request, response) => {
      const view = await viewOrder(context, access, readOrderId(request));
      succeed(response, "Order retrieved", await toOrderView(context, view));
    }),
  });

  serve(router, `${ORDERS}/:order/timeline`, {
    get: allowed("payments.view", async (access, request, response) => {
      const { id: orderId } = await getOrder(context, access, readOrderId(request));
      const timeline = await readTimeline(context, access, { orderId });
      succeed(response, "Timeline retrieved", await toTimeline(context, timeline));
    }),
  });

  serve(router, `${ORDERS}/:order/cancel`, {
    post: allowed("orders.cancel", async ({ by, ...access }, request, response) => {
      const { reason = null } = parse(consoleCancelRequestSchema, request.body);
      const act = { by, reason, requestId: getRequestId(response) };
      const order = await cancelOrder(context, access, readOrderId(request), act);
      succeed(response, "Order cancelled", await toOrder(context, order));
    }),
  });

  serve(router, `${ORDERS}/:order/refunds`, {
    post: allowed("refunds.create", async ({ by, ...access }, request, response) => {
      const { trxId } = await getOrder(context, access, readOrderId(request));
      if (trxId === null) throw new OperationError(ErrorCode.TransactionNotFound);
      const fields = await parseAndCheck(consoleRefundRequestSchema, request.body, ({ amount }) =>
        checkRefundFields(context, access, { transaction_id: trxId, amount }),
      );
      const act = { by, reason: fields.reason ?? null, requestId: getRequestId(response) };
      const refundRequest = { ...fields, transaction_id: trxId };
      const { refund } = await refundPayment(context, access, refundRequest, act);
      succeed(response, "Refund created", await toRefund(context, refund));
    }),
  });
}

const REFUNDS = "/merchants/:merchant/:mode/refunds";

export function serveRefunds(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, REFUNDS, {
    get: allowed("payments.view", async (access, request, response) => {
      const query = parse(consoleRefundsQuerySchema, request.query);
      const page = await browseRefunds(context, access, { ...query, timeZone: access.timeZone });
      succeed(
        response,
        "Refunds retrieved",
        await toList(context, page, await toRefunds(context, page.items)),
      );
    }),
  });

  serve(router, `${REFUNDS}/:refund`, {
    get: allowed("payments.view", async (access, request, response) => {
      const refund = await getRefund(context, access, pathParameter(request, "refund"));
      succeed(response, "Refund retrieved", await toRefund(context, refund));
    }),
  });

  serve(router, `${REFUNDS}/:refund/timeline`, {
    get: allowed("payments.view", async (access, request, response) => {
      const { id: refundId } = await getRefund(context, access, pathParameter(request, "refund"));
      const timeline = await readTimeline(context, access, { refundId });
      succeed(response, "Timeline retrieved", await toTimeline(context, timeline));
    }),
  });
}
