import type { Mode } from "@tillgate/contract";
import type { Request, Response } from "express";
import { clientNetwork } from "../../platform/client-network.js";

/** Data about a request and its caller, for logs and the merchant's request log. */
type Trace = {
  requestId?: string;
  route?: string;
  merchantId?: string;
  credentialId?: string;
  mode?: Mode;
  clientAddress?: string;
  responseBody?: unknown;
};

const traceOf = ({ locals }: Pick<Response, "locals">): Trace => {
  locals.trace ??= {};
  return locals.trace as Trace;
};

/** Sets the request id, which the response repeats in `X-Request-Id`. */
export function setRequestId(response: Response, requestId: string): void {
  traceOf(response).requestId = requestId;
}

export const requestIdOf = (response: Response): string => traceOf(response).requestId ?? "";

/** Sets the authenticated credential. Every later log line of the request carries it, and the request appears in the merchant's request log. */
export function setLoggedCaller(
  response: Response,
  { merchantId, credentialId, mode }: { merchantId: string; credentialId: string; mode: Mode },
): void {
  Object.assign(traceOf(response), { merchantId, credentialId, mode });
}

/** Sets the merchant whose order or account a request concerns. A shopper's calls are never in the merchant's request log. */
export function setLoggedMerchant(response: Response, { merchantId }: { merchantId: string }): void {
  traceOf(response).merchantId = merchantId;
}

/** Sets the response body, for the request log. */
export function setLoggedResponse(response: Response, body: unknown): void {
  traceOf(response).responseBody = body;
}

/** Finds a call authenticated by a merchant's credential, for the request log; undefined for any other. */
export function findApiCaller(
  response: Response,
):
  | { merchantId: string; credentialId: string; mode: Mode; requestId: string; responseBody: unknown }
  | undefined {
  const { merchantId, credentialId, mode, requestId = "", responseBody: body } = traceOf(response);
  if (merchantId === undefined || credentialId === undefined || mode === undefined) return undefined;
  return { merchantId, credentialId, mode, requestId, responseBody: body };
}

/** Sets the shopper's address on internal APIs, where the peer is our own page. */
export function setClientAddress(response: Response, clientAddress: string): void {
  traceOf(response).clientAddress = clientAddress;
}

/** Sets the route pattern. Actual paths contain payment tokens and are not logged. */
export function setRoute(response: Response, route: string): void {
  traceOf(response).route = route;
}

/** Returns the pattern of the matched route; undefined if none matched. */
export const routeOf = (response: Response): string | undefined => traceOf(response).route;

/** Returns the fields of every log line about a request. */
export function traceFields(request: Request, response: Response): Record<string, string | undefined> {
  const { merchantId, credentialId, clientAddress } = traceOf(response);
  return {
    route: routeOf(response),
    merchant: merchantId,
    credential: credentialId,
    network: clientNetwork(clientAddress ?? request.ip ?? "unknown"),
  };
}
