import { checkoutActionRequestSchema } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Request, RequestHandler, Router } from "express";
import { findLogo } from "../../checkout/branding.js";
import { verifyEmbedToken, viewEmbed } from "../../checkout/embed.js";
import { type Checkout, readCheckout } from "../../checkout/read.js";
import { approveInSandbox, declineInSandbox } from "../../checkout/sandbox.js";
import type { Context } from "../../context.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { getRequestId, setLoggedMerchant } from "../shared/trace.js";
import { toEmbed } from "./shapes.js";

type Action = (checkout: Checkout, requestId: string) => Promise<{ order: OrderModel; repeated?: boolean }>;

/** Serves the embedded checkout of an order. Its routes do not identify the visitor. */
export function serveEmbed(router: Router, context: Context): void {
  const readToken = (request: Request): string => pathParameter(request, "token");

  serve(router, "/orders/:token/embed", {
    get: async (request, response) => {
      const embedded = await viewEmbed(context, readToken(request));
      succeed(response, "Order retrieved", toEmbed(embedded, context.config.payUrl));
    },
  });

  const actionHandler =
    (perform: Action): RequestHandler =>
    async (request, response) => {
      const { form_token } = parse(checkoutActionRequestSchema, request.body);
      const checkout = await readCheckout(context, readToken(request), undefined);
      setLoggedMerchant(response, checkout.order);
      await verifyEmbedToken(context, form_token, checkout.order);
      const { order, repeated = false } = await perform(checkout, getRequestId(response));
      succeed(response, "Done", { status: order.state, repeated, renewed_session: null });
    };
  serve(router, "/orders/:token/embed/sandbox-approve", {
    post: actionHandler((checkout, requestId) => approveInSandbox(context, checkout, { requestId })),
  });
  serve(router, "/orders/:token/embed/sandbox-decline", {
    post: actionHandler(async ({ order }) => ({ order: declineInSandbox(order) })),
  });
}

/** The URL contains the hash of the bytes, so its content never changes. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Serves merchants' logos, which the payment page's server proxies. */
export function serveLogos(router: Router, context: Context): void {
  serve(router, "/logos/:id", {
    get: async (request, response) => {
      const id = pathParameter(request, "id");
      const { bytes, type } = await findLogo(context, id);
      const etag = `"${id}"`;
      response.set({
        "Content-Type": type,
        "Cache-Control": IMMUTABLE,
        ETag: etag,
        "X-Content-Type-Options": "nosniff",
      });
      const tags = (request.get("if-none-match") ?? "")
        .split(",")
        .map((tag) => tag.trim().replace(/^W\//, ""));
      if (tags.includes(etag) || tags.includes("*")) {
        response.status(304).end();
        return;
      }
      response.send(Buffer.from(bytes));
    },
  });
}
