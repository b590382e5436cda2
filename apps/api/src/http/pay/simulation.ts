import { simulateOrderRequestSchema } from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { simulateOrder } from "../../operations/orders/simulate-order.js";
import { currencyOf } from "../../readers/currencies.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { requestIdOf } from "../shared/trace.js";
import { authenticate } from "./authenticate.js";
import { shapeOrder } from "./shapes.js";

/** `/orders/{id}/simulate`: the shopper's part. Mounted in the sandbox only. */
export function serveSimulation(router: Router, context: Context): void {
  serve(router, "/orders/:orderId/simulate", {
    post: [
      async (request, response) => {
        const client = await authenticate(context, "sandbox", request, response);
        const { outcome } = parse(simulateOrderRequestSchema, request.body);
        const order = await simulateOrder(context, client, {
          orderId: pathParameter(request, "orderId"),
          outcome,
          requestId: requestIdOf(response),
        });
        const currency = await currencyOf(context, order.currency);
        succeed(response, "Outcome simulated", shapeOrder(order, currency, context.config.payUrl));
      },
    ],
  });
}
