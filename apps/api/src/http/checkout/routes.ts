import {
  checkoutActionRequestSchema,
  payRequestSchema,
  quoteWalletRequestSchema,
  signInRequestSchema,
} from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import { type Request, type RequestHandler, Router } from "express";
import { cancelCheckout } from "../../checkout/cancel.js";
import { payOrder } from "../../checkout/pay.js";
import { quoteWallet } from "../../checkout/quote.js";
import { type Checkout, readCheckout } from "../../checkout/read.js";
import { approveInSandbox, declineInSandbox } from "../../checkout/sandbox.js";
import { readStatus, readTraceparent } from "../../checkout/status.js";
import { verifyFormToken } from "../../checkout/tokens.js";
import { viewCheckout } from "../../checkout/view.js";
import { signIn, signInWithoutPin } from "../../checkout/wallet/sign-in.js";
import type { Context } from "../../context.js";
import { endSession, renewSessionIfDue } from "../../identity/shoppers/session.js";
import type { Listener } from "../../platform/listener.js";
import { getEndUserAddress } from "../shared/admit.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { getRequestId, setClientAddress, setLoggedMerchant } from "../shared/trace.js";
import { readViewer } from "./caller.js";
import { serveEmbed, serveLogos } from "./embed.js";
import { servePaymentLinks, serveTillCodes } from "./links.js";
import { servePasskeys } from "./passkeys.js";
import { toCheckout, toQuote, toRenewed, toSignedIn } from "./shapes.js";
import { streamStatus } from "./stream.js";
import { serveWallet } from "./wallet.js";

type ActionResult = { order: OrderModel; repeated?: boolean };
type Action = (checkout: Checkout, requestId: string) => Promise<ActionResult>;

/** Creates the routes that the payment page's server calls. */
export function createCheckoutRoutes(context: Context, listener: Listener): Router {
  const router = Router({ caseSensitive: true });
  router.use((request, response, next) => {
    setClientAddress(response, getEndUserAddress(request));
    next();
  });
  const readToken = (request: Request): string => pathParameter(request, "token");

  /** Reads the checkout and verifies that the form belongs to this order, visitor and session. @throws OperationError OrderNotFound, FormRejected. */
  const readFormCheckout = async (
    request: Request,
    formToken: string,
    quoteId?: string,
  ): Promise<Checkout> => {
    const { visitor, session } = readViewer(request);
    const checkout = await readCheckout(context, readToken(request), session, quoteId);
    const { order } = checkout;
    if (request.res) setLoggedMerchant(request.res, order);
    await verifyFormToken(context, formToken, { orderId: order.id, visitor, session: checkout });
    return checkout;
  };
  const renew = async (request: Request, { shopper }: Checkout, confirmed: boolean) =>
    shopper &&
    renewSessionIfDue(context, readViewer(request).session, { confirmed, rotationDue: shopper.rotationDue });
  const actionHandler =
    (perform: Action): RequestHandler =>
    async (request, response) => {
      const { form_token } = parse(checkoutActionRequestSchema, request.body);
      const checkout = await readFormCheckout(request, form_token);
      const { order, repeated = false } = await perform(checkout, getRequestId(response));
      const renewed = toRenewed(await renew(request, checkout, false));
      succeed(response, "Done", { status: order.state, repeated, renewed_session: renewed });
    };

  serve(router, "/orders/:token", {
    get: async (request, response) => {
      const details = await viewCheckout(context, readToken(request), readViewer(request));
      succeed(response, "Order retrieved", toCheckout(details, context.config.payUrl));
    },
  });
  serve(router, "/orders/:token/status", {
    get: async (request, response) => {
      const { status, version, expires_in_ms } = await readStatus(context, readToken(request));
      succeed(response, "Order status retrieved", { status, version, expires_in_ms });
    },
  });
  serve(router, "/orders/:token/trace", {
    get: async (request, response) => {
      const traceparent = await readTraceparent(context, readToken(request));
      succeed(response, "Trace retrieved", { traceparent });
    },
  });
  serve(router, "/orders/:token/events", { get: streamStatus(context, listener) });
  serveEmbed(router, context);
  serveLogos(router, context);
  serveTillCodes(router, context);
  servePaymentLinks(router, context);
  serveWallet(router, context);
  servePasskeys(router, context, readFormCheckout);
  serve(router, "/orders/:token/sign-in", {
    post: async (request, response) => {
      const fields = parse(signInRequestSchema, request.body);
      const { order } = await readFormCheckout(request, fields.form_token);
      const signedIn = await signIn(context, {
        identifier: fields.identifier,
        pin: fields.pin,
        mode: order.mode,
        orderId: order.id,
        locale: order.locale,
        clientAddress: getEndUserAddress(request),
        before: readViewer(request),
        remembered: fields.stay_signed_in,
      });
      succeed(response, "Signed in", toSignedIn(signedIn));
    },
  });
  serve(router, "/orders/:token/sign-out", {
    post: async (request, response) => {
      const { form_token } = parse(checkoutActionRequestSchema, request.body);
      const { order } = await readFormCheckout(request, form_token);
      const { session } = readViewer(request);
      if (session) await endSession(context, session);
      succeed(response, "Done", { status: order.state, repeated: false, renewed_session: null });
    },
  });
  serve(router, "/orders/:token/quotes", {
    post: async (request, response) => {
      const { form_token, wallet_id } = parse(quoteWalletRequestSchema, request.body);
      const checkout = await readFormCheckout(request, form_token);
      const quoted = await quoteWallet(context, checkout, wallet_id);
      const renewed = toRenewed(await renew(request, checkout, false));
      succeed(response, "Quote created", { quote: toQuote(checkout, quoted), renewed_session: renewed });
    },
  });
  serve(router, "/orders/:token/pay", {
    post: async (request, response) => {
      const fields = parse(payRequestSchema, request.body);
      const checkout = await readFormCheckout(request, fields.form_token, fields.quote_id);
      const { session, device } = readViewer(request);
      const clientAddress = getEndUserAddress(request);
      const paid = await payOrder(context, checkout, fields, {
        ...{ session, device, clientAddress },
        requestId: getRequestId(response),
      });
      const renewed = toRenewed(await renew(request, checkout, paid.confirmed));
      const { order, repeated } = paid;
      succeed(response, "Done", { status: order.state, repeated, renewed_session: renewed });
    },
  });
  serve(router, "/orders/:token/cancel", {
    post: actionHandler(async ({ order }, requestId) => ({
      order: await cancelCheckout(context, order, requestId),
    })),
  });
  serve(router, "/orders/:token/sandbox-approve", {
    post: actionHandler((checkout, requestId) => approveInSandbox(context, checkout, { requestId })),
  });
  serve(router, "/orders/:token/sandbox-sign-in", {
    post: async (request, response) => {
      const { form_token } = parse(checkoutActionRequestSchema, request.body);
      const checkout = await readFormCheckout(request, form_token);
      const caller = { clientAddress: getEndUserAddress(request), before: readViewer(request) };
      succeed(response, "Signed in", toSignedIn(await signInWithoutPin(context, checkout, caller)));
    },
  });
  serve(router, "/orders/:token/sandbox-decline", {
    post: actionHandler(async ({ order }) => ({ order: declineInSandbox(order) })),
  });
  return router;
}
