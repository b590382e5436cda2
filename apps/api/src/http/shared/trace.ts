import type { Mode } from "@tillgate/contract";
import type { Request, Response } from "express";
import { getClientNetwork } from "../../platform/client-network.js";

/** Data about a request for log lines and the merchant's request log. */
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

export function setRequestId(response: Response, requestId: string): void {
  getTrace(response).requestId = requestId;
}

export const getRequestId = (response: Response): string => getTrace(response).requestId ?? "";

/** Adds the caller to the request's later log lines, and the request to the merchant's request log. */
export function setLoggedCaller(
  response: Response,
  { merchantId, credentialId, mode }: { merchantId: string; credentialId: string; mode: Mode },
): void {
  Object.assign(getTrace(response), { merchantId, credentialId, mode });
}

/** Adds the merchant to log lines only. A shopper's calls are never in the merchant's request log. */
export function setLoggedMerchant(response: Response, { merchantId }: { merchantId: string }): void {
  getTrace(response).merchantId = merchantId;
}

export function setLoggedResponse(response: Response, body: unknown): void {
  getTrace(response).responseBody = body;
}

/** Returns the logged data of a call; undefined unless a merchant's credential authenticated the call. */
export function findApiCaller(
  response: Response,
):
  | { merchantId: string; credentialId: string; mode: Mode; requestId: string; responseBody: unknown }
  | undefined {
  const { merchantId, credentialId, mode, requestId = "", responseBody: body } = getTrace(response);
  if (merchantId === undefined || credentialId === undefined || mode === undefined) return undefined;
  return { merchantId, credentialId, mode, requestId, responseBody: body };
}

/** Sets the end user's address on internal APIs, where the peer is the payment page's or the console's server. */
export function setClientAddress(response: Response, clientAddress: string): void {
  getTrace(response).clientAddress = clientAddress;
}

/** Sets the route's pattern. Actual paths are not logged, because they can contain payment tokens. */
export function setRoute(response: Response, route: string): void {
  getTrace(response).route = route;
}

/** Returns the pattern of the matched route; undefined if none matched. */
export const getRoute = (response: Response): string | undefined => getTrace(response).route;

export function traceFields(request: Request, response: Response): Record<string, string | undefined> {
  const { merchantId, credentialId, clientAddress } = getTrace(response);
  return {
    route: getRoute(response),
    merchant: merchantId,
    credential: credentialId,
    network: getClientNetwork(clientAddress ?? request.ip ?? "unknown"),
  };
}
