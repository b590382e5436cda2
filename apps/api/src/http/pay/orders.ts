import { createOrderRequestSchema, listOrdersQuerySchema, type Mode, type Order } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { getCurrency } from "../../money/currencies.js";
import { cancelOrder } from "../../money/orders/cancel.js";
import { checkOrderFields, createOrder } from "../../money/orders/create.js";
import { listOrders } from "../../money/orders/list.js";
import { getOrder } from "../../money/orders/read.js";
import { parse, parseIdempotent, pathParameter } from "../shared/parse.js";
import { serve, succeed, toListPosition } from "../shared/routes.js";
import { getRequestId } from "../shared/trace.js";
import { withClient } from "./authenticate.js";
import { toOrder } from "./shapes.js";

export function serveOrders(router: Router, context: Context, mode: Mode): void {
  const authenticated = withClient(context, mode);
  const serialize = async (order: OrderModel): Promise<Order> =>
    toOrder(order, await getCurrency(context, order.currency), context.config.payUrl);

  serve(router, "/orders", {
    post: authenticated(async (client, request, response) => {
      const fields = await parseIdempotent(createOrderRequestSchema, request, (validFields) =>
        checkOrderFields(context, client, validFields),
      );
      const { order, replayed } = await createOrder(context, client, fields, getRequestId(response));
      if (replayed) response.set("Idempotent-Replayed", "true");
      succeed(response, "POS order created successfully", await serialize(order));
    }),
    get: authenticated(async (client, request, response) => {
      const query = parse(listOrdersQuerySchema, request.query);
      const page = await listOrders(context, client, query);
      const orders = await Promise.all(page.rows.map(serialize));
      succeed(response, "Orders retrieved", { orders, ...toListPosition(query, page) });
    }),
  });

  serve(router, "/orders/:orderId", {
    get: authenticated(async (client, request, response) => {
      const order = await getOrder(context, client, pathParameter(request, "orderId"));
      succeed(response, "Order status retrieved", await serialize(order));
    }),
  });

  serve(router, "/orders/:orderId/cancel", {
    post: authenticated(async (client, request, response) => {
      const order = await cancelOrder(context, client, pathParameter(request, "orderId"), {
        ...client,
        requestId: getRequestId(response),
      });
      succeed(response, "Order cancelled", await serialize(order));
    }),
  });
}
