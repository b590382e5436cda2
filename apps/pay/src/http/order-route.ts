import { setResponseHeaders } from "@tillgate/service/web/headers";
import type { NextApiHandler, NextApiRequest, NextApiResponse } from "next";
import { type Config, config } from "#config.ts";
import { ApiUnreachable, type Caller } from "#internal-api/checkout.ts";
import { RETRY_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";
import { callerWithoutCookies, parsePaymentToken } from "./shopper";

export type OrderRequest = {
  token: string;
  caller: Caller;
  config: Config;
  request: NextApiRequest;
  response: NextApiResponse;
};

/**
 * Wraps an order's data route. Responds 405 unless the method is GET or HEAD, 404 for a malformed token, and 503 if the API is unreachable.
 * Reads no cookies.
 */
export function orderRoute(handler: (order: OrderRequest) => Promise<void>): NextApiHandler {
  return async (request, response) => {
    const settings = config();
    setResponseHeaders(response, settings);
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      response.status(405).json({ reason: "method_not_allowed" });
      return;
    }
    const token = parsePaymentToken(request.query.token);
    if (token === null) return sendNotFound(response);
    try {
      await handler({
        token,
        caller: callerWithoutCookies(request, settings),
        config: settings,
        request,
        response,
      });
    } catch (error) {
      if (!(error instanceof ApiUnreachable)) throw error;
      logError("Failed to read an order", { reason: error.message });
      if (response.headersSent) return void response.end();
      response.setHeader("Retry-After", String(RETRY_SECONDS));
      response.status(503).json({ reason: "unavailable" });
    }
  };
}

export function sendNotFound(response: NextApiResponse): void {
  response.status(404).json({ reason: "not_found" });
}
