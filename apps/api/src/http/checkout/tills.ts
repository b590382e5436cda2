import type { Router } from "express";
import type { Context } from "../../context.js";
import { openOrder } from "../../operations/tills/open-order.js";
import { tillOfCode } from "../../operations/tills/till.js";
import { succeed } from "../shared/answer.js";
import { pathParameter } from "../shared/path-parameter.js";
import { paymentAddress } from "../shared/payment-address.js";
import { serve } from "../shared/routes.js";

/** What the printed code of a till opens. It says nothing of orders before. */
export function serveTillCodes(router: Router, context: Context): void {
  serve(router, "/tills/:token", {
    get: [
      async (request, response) => {
        const { till, merchantName } = await tillOfCode(context, pathParameter(request, "token"));
        const open = till.pausedAt === null ? await openOrder(context, till) : null;
        succeed(response, "Till retrieved", {
          merchant_name: merchantName,
          name: till.name,
          mode: till.mode,
          payment_url: open && paymentAddress(context.config.payUrl, open),
        });
      },
    ],
  });
}
