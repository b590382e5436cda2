import { checkoutActionRequestSchema, signInRequestSchema } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import { type Request, type RequestHandler, Router } from "express";
import type { Context } from "../../context.js";
import type { Listener } from "../../notifications/listener.js";
import { cancelCheckout } from "../../operations/checkout/cancel-checkout.js";
import { declineInSandbox } from "../../operations/checkout/decline-in-sandbox.js";
import { verifyFormToken } from "../../operations/checkout/form-token.js";
import { orderByToken } from "../../operations/checkout/order-by-token.js";
import { approveInSandbox, payOrder } from "../../operations/checkout/pay-order.js";
import { signIn } from "../../operations/checkout/sign-in.js";
import { type Viewer, viewCheckout } from "../../operations/checkout/view-checkout.js";
import { endSession } from "../../operations/checkout/wallet-session.js";
import { succeed } from "../shared/answer.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { clientAddressOf, requireInternalKey, viewerOf } from "./caller.js";
import { shapeCheckout } from "./shapes.js";
import { streamStatus } from "./stream.js";

type Action = (order: OrderModel, viewer: Viewer) => OrderModel | Promise<OrderModel>;

/** What the hosted page asks, server to server. */
export function checkoutRoutes(context: Context, listener: Listener): Router {
  const router = Router({ caseSensitive: true });
  router.use(requireInternalKey(context.config));
  const tokenOf = (request: Request): string => pathParameter(request, "token");

  /** The order of a form that really came from this page, visitor and session. */
  const orderOfForm = async (request: Request, formToken: string) => {
    const order = await orderByToken(context, tokenOf(request));
    await verifyFormToken(context, formToken, { orderId: order.id, ...viewerOf(request) });
    return order;
  };
  const action = (act: Action): RequestHandler[] => [
    async (request, response) => {
      const { form_token } = parse(checkoutActionRequestSchema, request.body);
      const changed = await act(await orderOfForm(request, form_token), viewerOf(request));
      succeed(response, "Done", { status: changed.state });
    },
  ];

  serve(router, "/orders/:token", {
    get: [
      async (request, response) => {
        const details = await viewCheckout(context, tokenOf(request), viewerOf(request));
        succeed(response, "Order retrieved", shapeCheckout(details, context.config.payUrl));
      },
    ],
  });
  serve(router, "/orders/:token/events", { get: [streamStatus(context, listener)] });
  serve(router, "/orders/:token/sign-in", {
    post: [
      async (request, response) => {
        const { form_token, identifier, pin } = parse(signInRequestSchema, request.body);
        const { mode } = await orderOfForm(request, form_token);
        const session = await signIn(context, {
          identifier,
          pin,
          mode,
          clientAddress: clientAddressOf(request),
        });
        succeed(response, "Signed in", { session, max_age_seconds: context.config.walletSessionSeconds });
      },
    ],
  });
  serve(router, "/orders/:token/sign-out", {
    post: action(async (order, { session }) => {
      if (session) await endSession(context, session);
      return order;
    }),
  });
  serve(router, "/orders/:token/pay", {
    post: action((order, { session }) => payOrder(context, order, session)),
  });
  serve(router, "/orders/:token/cancel", { post: action((order) => cancelCheckout(context, order)) });
  serve(router, "/orders/:token/sandbox-approve", {
    post: action((order) => approveInSandbox(context, order)),
  });
  serve(router, "/orders/:token/sandbox-decline", { post: action(declineInSandbox) });
  return router;
}
