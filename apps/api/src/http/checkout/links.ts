import { type CheckoutLink, checkoutLinkOrderRequestSchema } from "@tillgate/contract";
import { formatAmount } from "@tillgate/money";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { findOrCreateLinkOrder } from "../../money/links/open-order.js";
import { type OpenedLink, readPaymentLink } from "../../money/links/read.js";
import { findOpenOrder } from "../../money/tills/take-order.js";
import { findTillByCode } from "../../money/tills/till.js";
import { consumeLinkOrderLimit } from "../../platform/shopper-limits.js";
import { getEndUserAddress } from "../shared/admit.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { paymentAddress } from "../shared/shapes.js";
import { getRequestId } from "../shared/trace.js";
import { readViewer } from "./caller.js";
import { toMerchant } from "./shapes.js";

export function servePaymentLinks(router: Router, context: Context): void {
  const { payUrl } = context.config;
  serve(router, "/links/:token", {
    get: async (request, response) => {
      const { visitor } = readViewer(request);
      const opened = await readPaymentLink(context, pathParameter(request, "token"), visitor);
      succeed(response, "Payment link retrieved", toLink(opened, payUrl));
    },
  });
  serve(router, "/links/:token/orders", {
    post: async (request, response) => {
      const { amount } = parse(checkoutLinkOrderRequestSchema, request.body);
      await consumeLinkOrderLimit(context, getEndUserAddress(request));
      const { visitor } = readViewer(request);
      const order = await findOrCreateLinkOrder(context, pathParameter(request, "token"), {
        visitor,
        amount,
        requestId: getRequestId(response),
      });
      succeed(response, "Order created", { payment_url: paymentAddress(payUrl, order) });
    },
  });
}

function toLink({ link, merchant, currency, state, openOrder }: OpenedLink, payUrl: string): CheckoutLink {
  const formatMoney = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, currency));
  return {
    merchant: toMerchant(merchant),
    mode: link.mode,
    description: link.description,
    currency: link.currency,
    amount: formatMoney(link.amount),
    min_amount: formatMoney(link.minAmount),
    max_amount: formatMoney(link.maxAmount),
    state,
    payment_url: openOrder && paymentAddress(payUrl, openOrder),
  };
}

export function serveTillCodes(router: Router, context: Context): void {
  serve(router, "/tills/:token", {
    get: async (request, response) => {
      const { till, merchantName } = await findTillByCode(context, pathParameter(request, "token"));
      const open = till.pausedAt === null ? await findOpenOrder(context, till) : null;
      succeed(response, "Till retrieved", {
        merchant_name: merchantName,
        name: till.name,
        mode: till.mode,
        payment_url: open && paymentAddress(context.config.payUrl, open),
      });
    },
  });
}
