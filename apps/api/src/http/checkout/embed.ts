import { checkoutActionRequestSchema } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Request, RequestHandler, Router } from "express";
import type { Context } from "../../context.js";
import { approveInSandbox } from "../../operations/checkout/approve-in-sandbox.js";
import { declineInSandbox } from "../../operations/checkout/decline-in-sandbox.js";
import { verifyEmbedToken } from "../../operations/checkout/embed-token.js";
import { type Checkout, readCheckout } from "../../operations/checkout/read-checkout.js";
import { viewEmbed } from "../../operations/checkout/view-embed.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { noteMerchant, requestIdOf } from "../shared/trace.js";
import { shapeEmbed } from "./shapes.js";

type Action = (checkout: Checkout, requestId: string) => Promise<{ order: OrderModel; repeated?: boolean }>;

/** What a frame in a shop's page shows of an order, and its test buttons. Nothing here knows a visitor. */
export function serveEmbed(router: Router, context: Context): void {
  const tokenOf = (request: Request): string => pathParameter(request, "token");

  serve(router, "/orders/:token/embed", {
    get: [
      async (request, response) => {
        const embedded = await viewEmbed(context, tokenOf(request));
        succeed(response, "Order retrieved", shapeEmbed(embedded, context.config.payUrl));
      },
    ],
  });

  const action = (act: Action): RequestHandler[] => [
    async (request, response) => {
      const { form_token } = parse(checkoutActionRequestSchema, request.body);
      const checkout = await readCheckout(context, tokenOf(request), undefined);
      noteMerchant(response, checkout.order);
      await verifyEmbedToken(context, form_token, checkout.order);
      const { order, repeated = false } = await act(checkout, requestIdOf(response));
      succeed(response, "Done", { status: order.state, repeated, renewed_session: null });
    },
  ];
  serve(router, "/orders/:token/embed/sandbox-approve", {
    post: action((checkout, requestId) => approveInSandbox(context, checkout, { requestId })),
  });
  serve(router, "/orders/:token/embed/sandbox-decline", {
    post: action(async ({ order }) => ({ order: declineInSandbox(order) })),
  });
}
