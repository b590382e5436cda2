import {
  ACCESS_TOKEN_SECONDS,
  createPaymentRequestSchema,
  type Mode,
  tokenRequestSchema,
} from "@tillgate/contract";
import type { Request, Response, Router } from "express";
import type { Context } from "../../context.js";
import type { Client } from "../../operations/authenticate-client.js";
import { currencyOf } from "../../operations/currencies.js";
import { OperationError, Refusal } from "../../operations/errors.js";
import { authenticateAccessToken, issueAccessToken } from "../../operations/payments/access-token.js";
import { createPayment } from "../../operations/payments/create-payment.js";
import { getPayment } from "../../operations/payments/get-payment.js";
import { bearerToken } from "../shared/bearer-token.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { paymentAddress, shapePayment } from "./shapes.js";

/** The success envelope of the token and payment API. */
const succeed = (response: Response, message: string, data: unknown): void => {
  response.json({ message: { code: 200, success: [message] }, data, type: "success" });
};

/** `/authentication/token` and `/payment`: access token, create, status. */
export function servePayments(router: Router, context: Context, mode: Mode): void {
  const authenticate = async (request: Request): Promise<Client> => {
    const token = bearerToken(request);
    if (token === null) throw new OperationError(Refusal.InvalidAccessToken);
    return authenticateAccessToken(context, token, mode);
  };

  serve(router, "/authentication/token", {
    post: [
      async (request, response) => {
        const { client_id: clientId, secret_id: clientSecret } = parse(tokenRequestSchema, request.body);
        const token = await issueAccessToken(context, { clientId, clientSecret, mode });
        succeed(response, "SUCCESS", { access_token: token, expire_time: ACCESS_TOKEN_SECONDS });
      },
    ],
  });

  serve(router, "/payment/create", {
    post: [
      async (request, response) => {
        const client = await authenticate(request);
        const payment = parse(createPaymentRequestSchema, request.body);
        const { order, replayed } = await createPayment(context, client, payment);
        if (replayed) response.set("Idempotent-Replayed", "true");
        const data = { token: order.token, payment_url: paymentAddress(context.config.payUrl, order) };
        succeed(response, "Payment created successfully", data);
      },
    ],
  });

  serve(router, "/payment/:token", {
    get: [
      async (request, response) => {
        const client = await authenticate(request);
        const order = await getPayment(context, client, pathParameter(request, "token"));
        succeed(
          response,
          "Payment status retrieved",
          shapePayment(order, await currencyOf(context, order.currency)),
        );
      },
    ],
  });
}
