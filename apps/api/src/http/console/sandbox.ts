import {
  createTestControlRequestSchema,
  expireRequestSchema,
  testOrderRequestSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { createTestOrder, expireNow, simulateOrder } from "../../sandbox/simulate.js";
import { clearTestControls, createTestControl, listTestControls } from "../../sandbox/test-controls.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { toControl, toExpiry } from "../shared/shapes.js";
import { getRequestId } from "../shared/trace.js";
import { withRight } from "./caller.js";

/** The mode in the path is fixed, because these routes exist only in the sandbox. */
const BASE = "/merchants/:merchant/sandbox/test";

/** Serves test controls, test orders and changes to expiry times. Test payouts are decided through the API or by an administrator instead. */
export function serveTestControls(router: Router, context: Context): void {
  const allowed = withRight(context);

  serve(router, `${BASE}/controls`, {
    get: allowed("controls.view", async ({ merchantId }, _request, response) => {
      const controls = await listTestControls(context, merchantId);
      succeed(response, "Test controls retrieved", { controls: controls.map(toControl) });
    }),
    post: allowed("controls.change", async ({ merchantId }, request, response) => {
      const ordered = parse(createTestControlRequestSchema, request.body);
      const control = await createTestControl(context, merchantId, ordered);
      succeed(response, "Test control created", toControl(control));
    }),
  });

  serve(router, `${BASE}/controls/clear`, {
    post: allowed("controls.change", async ({ merchantId }, _request, response) => {
      succeed(response, "Test controls cleared", { cleared: await clearTestControls(context, merchantId) });
    }),
  });

  serve(router, `${BASE}/orders`, {
    post: allowed("controls.change", async ({ merchantId }, request, response) => {
      const fields = parse(testOrderRequestSchema, request.body);
      const requestId = getRequestId(response);
      const { id } = await createTestOrder(context, merchantId, { ...fields, requestId });
      succeed(response, "Test order created", { order_id: id });
    }),
  });

  serve(router, `${BASE}/orders/:order/pay`, {
    post: allowed("controls.change", async ({ merchantId }, request, response) => {
      const paid = await simulateOrder(
        context,
        { merchantId, mode: "sandbox" },
        {
          orderId: pathParameter(request, "order"),
          outcome: "paid",
          requestId: getRequestId(response),
        },
      );
      succeed(response, "Paid by the test shopper", { order_id: paid.id });
    }),
  });

  serve(router, `${BASE}/time`, {
    post: allowed("controls.change", async ({ merchantId }, request, response) => {
      const input = parse(expireRequestSchema, request.body);
      const endsAt = await expireNow(context, merchantId, input);
      succeed(response, "Expiry changed", toExpiry(input, endsAt));
    }),
  });
}
