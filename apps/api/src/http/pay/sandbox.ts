import {
  createTestControlRequestSchema,
  decideTestPayoutRequestSchema,
  expireRequestSchema,
  simulateOrderRequestSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { getCurrency } from "../../money/currencies.js";
import { decideTestPayout, expireNow, simulateOrder } from "../../sandbox/simulate.js";
import { clearTestControls, createTestControl, listTestControls } from "../../sandbox/test-controls.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { toControl, toExpiry, toPayout } from "../shared/shapes.js";
import { getRequestId } from "../shared/trace.js";
import { withClient } from "./authenticate.js";
import { toOrder } from "./shapes.js";

/** Serves the simulation of a shopper's decision, which exists only in the sandbox. */
export function serveSimulation(router: Router, context: Context): void {
  const authenticated = withClient(context, "sandbox");

  serve(router, "/orders/:orderId/simulate", {
    post: authenticated(async (client, request, response) => {
      const { outcome } = parse(simulateOrderRequestSchema, request.body);
      const order = await simulateOrder(context, client, {
        orderId: pathParameter(request, "orderId"),
        outcome,
        requestId: getRequestId(response),
      });
      const currency = await getCurrency(context, order.currency);
      succeed(response, "Outcome simulated", toOrder(order, currency, context.config.payUrl));
    }),
  });
}

/** Serves test controls, decisions on test payouts and changes to expiry times, which exist only in the sandbox. */
export function serveTestControls(router: Router, context: Context): void {
  const authenticated = withClient(context, "sandbox", { testControls: false });

  serve(router, "/test/controls", {
    post: authenticated(async ({ merchantId }, request, response) => {
      const ordered = parse(createTestControlRequestSchema, request.body);
      const control = await createTestControl(context, merchantId, ordered);
      succeed(response, "Test control created", toControl(control));
    }),
    get: authenticated(async ({ merchantId }, _request, response) => {
      const controls = await listTestControls(context, merchantId);
      succeed(response, "Test controls retrieved", { controls: controls.map(toControl) });
    }),
  });

  serve(router, "/test/controls/clear", {
    post: authenticated(async ({ merchantId }, _request, response) => {
      succeed(response, "Test controls cleared", { cleared: await clearTestControls(context, merchantId) });
    }),
  });

  serve(router, "/test/payouts/:payoutId", {
    post: authenticated(async (scope, request, response) => {
      const { outcome } = parse(decideTestPayoutRequestSchema, request.body);
      const payout = await decideTestPayout(context, scope, {
        payoutId: pathParameter(request, "payoutId"),
        outcome,
        by: { credentialId: scope.credentialId, requestId: getRequestId(response) },
      });
      const sender = await getCurrency(context, payout.senderCurrency);
      const receiver = await getCurrency(context, payout.receiverCurrency);
      succeed(response, "Payout decided", { payout: toPayout(payout, sender, receiver) });
    }),
  });

  serve(router, "/test/time", {
    post: authenticated(async ({ merchantId }, request, response) => {
      const input = parse(expireRequestSchema, request.body);
      const endsAt = await expireNow(context, merchantId, input);
      succeed(response, "Expiry changed", toExpiry(input, endsAt));
    }),
  });
}
