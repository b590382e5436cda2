import {
  ACCESS_TOKEN_SECONDS,
  createPaymentRequestSchema,
  ErrorCode,
  type Mode,
  tokenRequestSchema,
} from "@tillgate/contract";
import type { Request, Response, Router } from "express";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { authenticateAccessToken, issueAccessToken } from "../../identity/credentials/access-token.js";
import type { Client } from "../../identity/credentials/authenticate.js";
import { consumeTokenLimit } from "../../identity/credentials/limits.js";
import { getCurrency } from "../../money/currencies.js";
import { checkPaymentFields, createPayment, getPayment } from "../../money/payments.js";
import { admit, applyAllowance, getCallOrigin, getClientAddress, parseBearerToken } from "../shared/admit.js";
import { parse, parseIdempotent, pathParameter } from "../shared/parse.js";
import { serve } from "../shared/routes.js";
import { paymentAddress } from "../shared/shapes.js";
import { getRequestId, setLoggedResponse } from "../shared/trace.js";
import { toPayment } from "./shapes.js";

/** Sends the success envelope of the token and payment API. */
const succeed = (response: Response, message: string, data: unknown): void => {
  const envelope = { message: { code: 200, success: [message] }, data, type: "success" };
  setLoggedResponse(response, envelope);
  response.json(envelope);
};

export function servePayments(router: Router, context: Context, mode: Mode): void {
  const authenticate = async (request: Request, response: Response): Promise<Client> => {
    const token = parseBearerToken(request);
    if (token === null) throw new OperationError(ErrorCode.InvalidAccessToken);
    const client = await authenticateAccessToken(context, token, mode, getCallOrigin(request));
    await admit(context, "pay", client, { request, response });
    return client;
  };
  const limitTokens = async (request: Request, response: Response): Promise<void> =>
    applyAllowance(response, await consumeTokenLimit(context, getClientAddress(request)));
  const issueToken = async (request: Request): Promise<string> => {
    const { client_id: clientId, secret_id: clientSecret } = parse(tokenRequestSchema, request.body);
    return issueAccessToken(context, { clientId, clientSecret, mode, ...getCallOrigin(request) });
  };

  serve(router, "/authentication/token", {
    post: async (request, response) => {
      let token: string;
      try {
        token = await issueToken(request);
      } catch (error) {
        // An attempt that a lockout rejected does not count against the address's limit, so that valid secrets from the address still pass.
        const isDelayed = error instanceof OperationError && error.errorCode === ErrorCode.TooManyRequests;
        if (!isDelayed) await limitTokens(request, response);
        throw error;
      }
      await limitTokens(request, response);
      succeed(response, "SUCCESS", { access_token: token, expire_time: ACCESS_TOKEN_SECONDS });
    },
  });

  serve(router, "/payment/create", {
    post: async (request, response) => {
      const client = await authenticate(request, response);
      const payment = await parseIdempotent(createPaymentRequestSchema, request, (validFields) =>
        checkPaymentFields(context, client, validFields),
      );
      const { order, replayed } = await createPayment(context, client, payment, getRequestId(response));
      if (replayed) response.set("Idempotent-Replayed", "true");
      const data = { token: order.token, payment_url: paymentAddress(context.config.payUrl, order) };
      succeed(response, "Payment created successfully", data);
    },
  });

  serve(router, "/payment/:token", {
    get: async (request, response) => {
      const client = await authenticate(request, response);
      const order = await getPayment(context, client, pathParameter(request, "token"));
      succeed(
        response,
        "Payment status retrieved",
        toPayment(order, await getCurrency(context, order.currency)),
      );
    },
  });
}
