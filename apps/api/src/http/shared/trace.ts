import type { Mode } from "@tillgate/contract";
import type { Request, Response } from "express";
import { getClientNetwork } from "../../platform/client-network.js";

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

const getTrace = ({ locals }: Pick<Response, "locals">): Trace => {
  locals.trace ??= {};
  return locals.trace as Trace;
};

/** Sets the request ID, which is returned in `X-Request-Id`. */
export function setRequestId(response: Response, requestId: string): void {
  getTrace(response).requestId = requestId;
}

export const getRequestId = (response: Response): string => getTrace(response).requestId ?? "";

/** Sets the authenticated credential. Every later log line of the request contains it, and the request appears in the merchant's request log. */
export function setLoggedCaller(
  response: Response,
  { merchantId, credentialId, mode }: { merchantId: string; credentialId: string; mode: Mode },
): void {
  Object.assign(getTrace(response), { merchantId, credentialId, mode });
}

/** Sets the merchant whose order or account a request concerns. A shopper's calls are never in the merchant's request log. */
export function setLoggedMerchant(response: Response, { merchantId }: { merchantId: string }): void {
  getTrace(response).merchantId = merchantId;
}

/** Sets the response body, for the request log. */
export function setLoggedResponse(response: Response, body: unknown): void {
  getTrace(response).responseBody = body;
}

/** Returns the logged data of a call authenticated by a merchant's credential; undefined for any other call. */
export function findApiCaller(
  response: Response,
):
  | { merchantId: string; credentialId: string; mode: Mode; requestId: string; responseBody: unknown }
  | undefined {
  const { merchantId, credentialId, mode, requestId = "", responseBody: body } = getTrace(response);
  if (merchantId === undefined || credentialId === undefined || mode === undefined) return undefined;
  return { merchantId, credentialId, mode, requestId, responseBody: body };
}

/** Sets the address of the shopper or console user on internal APIs, where the peer is the payment page's or the console's server. */
export function setClientAddress(response: Response, clientAddress: string): void {
  getTrace(response).clientAddress = clientAddress;
}

/** Sets the route pattern. Actual paths contain payment tokens and are not logged. */
export function setRoute(response: Response, route: string): void {
  getTrace(response).route = route;
}

/** Returns the pattern of the matched route; undefined if none matched. */
export const getRoute = (response: Response): string | undefined => getTrace(response).route;

/** Returns the fields of every log line about a request. */
export function traceFields(request: Request, response: Response): Record<string, string | undefined> {
  const { merchantId, credentialId, clientAddress } = getTrace(response);
  return {
    route: getRoute(response),
    merchant: merchantId,
    credential: credentialId,
    network: getClientNetwork(clientAddress ?? request.ip ?? "unknown"),
  };
}
