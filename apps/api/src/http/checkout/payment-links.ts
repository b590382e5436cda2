import { type CheckoutLink, checkoutLinkOrderRequestSchema } from "@tillgate/contract";
import { formatAmount } from "@tillgate/money";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { spendLinkOrder } from "../../operations/checkout/checkout-limits.js";
import { beginLinkOrder } from "../../operations/payment-links/begin-link-order.js";
import { type OpenedLink, readPaymentLink } from "../../operations/payment-links/read-payment-link.js";
import { succeed } from "../shared/answer.js";
import { clientAddressSaid } from "../shared/internal-edge.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { paymentAddress } from "../shared/payment-address.js";
import { serve } from "../shared/routes.js";
import { requestIdOf } from "../shared/trace.js";
import { viewerOf } from "./caller.js";
import { shapeMerchant } from "./shapes.js";

/** What a payment link opens, and the order that a visitor makes there. */
export function servePaymentLinks(router: Router, context: Context): void {
  const { payUrl } = context.config;
  serve(router, "/links/:token", {
    get: [
      async (request, response) => {
        const { visitor } = viewerOf(request);
        const opened = await readPaymentLink(context, pathParameter(request, "token"), visitor);
        succeed(response, "Payment link retrieved", shapeLink(opened, payUrl));
      },
    ],
  });
  serve(router, "/links/:token/orders", {
    post: [
      async (request, response) => {
        const { amount } = parse(checkoutLinkOrderRequestSchema, request.body);
        await spendLinkOrder(context, clientAddressSaid(request));
        const { visitor } = viewerOf(request);
        const order = await beginLinkOrder(context, pathParameter(request, "token"), {
          visitor,
          amount,
          requestId: requestIdOf(response),
        });
        succeed(response, "Order created", { payment_url: paymentAddress(payUrl, order) });
      },
    ],
  });
}

function shapeLink({ link, merchant, currency, state, underWay }: OpenedLink, payUrl: string): CheckoutLink {
  const money = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, currency));
  return {
    merchant: shapeMerchant(merchant),
    mode: link.mode,
    description: link.description,
    currency: link.currency,
    amount: money(link.amount),
    min_amount: money(link.minAmount),
    max_amount: money(link.maxAmount),
    state,
    payment_url: underWay && paymentAddress(payUrl, underWay),
  };
}
