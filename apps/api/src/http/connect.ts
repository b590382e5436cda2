import { type ConnectToken, connectTokenRequestSchema, ErrorCode } from "@tillgate/contract";
import { Router } from "express";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { type ConnectedShop, exchangeCode } from "../identity/connections.js";
import { consumeTokenLimit } from "../identity/credentials/limits.js";
import type { IssuedCredential } from "../identity/credentials/manage.js";
import { applyAllowance, getClientAddress } from "./shared/admit.js";
import { parse } from "./shared/parse.js";
import { serve, succeed } from "./shared/routes.js";
import { consolePageUrl } from "./shared/shapes.js";

/** Creates the routes that connect a shop: the console authorizes it, and the shop's server exchanges the returned code for credentials. */
export function createConnectRoutes(context: Context): Router {
  const router = Router({ caseSensitive: true });
  const { consoleUrl } = context.config;

  serve(router, "/", {
    get: async (request, response) => {
      if (consoleUrl === undefined) throw new OperationError(ErrorCode.UnknownRoute);
      const { search } = new URL(request.originalUrl, consoleUrl);
      response.set("Cache-Control", "no-store").redirect(302, `${consoleUrl}/connect${search}`);
    },
  });

  serve(router, "/token", {
    post: async (request, response) => {
      applyAllowance(response, await consumeTokenLimit(context, getClientAddress(request)));
      const connected = await exchangeCode(context, parse(connectTokenRequestSchema, request.body));
      response.set("Cache-Control", "no-store");
      succeed(response, "Shop connected", toConnected(connected, consoleUrl));
    },
  });
  return router;
}

const toCredential = ({ clientId, secret }: IssuedCredential) => ({
  client_id: clientId ?? "",
  client_secret: secret,
});

const toConnected = (
  { merchantId, merchantName, sandbox, live }: ConnectedShop,
  consoleUrl: string | undefined,
): ConnectToken => ({
  merchant_name: merchantName,
  console_url: consolePageUrl(consoleUrl, merchantId),
  sandbox: toCredential(sandbox),
  live: live && toCredential(live),
});
