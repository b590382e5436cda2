import type { Mode } from "@tillgate/contract";
import type { Request, Response } from "express";
import { clientNetwork } from "../../platform/client-network.js";

/** The maker of a request, as far as it is known. */
type Trace = {
  requestId?: string;
  route?: string;
  merchantId?: string;
  credentialId?: string;
  mode?: Mode;
  clientAddress?: string;
  answer?: unknown;
};

const traceOf = ({ locals }: Pick<Response, "locals">): Trace => {
  locals.trace ??= {};
  return locals.trace as Trace;
};

/** Notes the id that the answer's `X-Request-Id` says. */
export function noteRequestId(response: Response, requestId: string): void {
  traceOf(response).requestId = requestId;
}

export const requestIdOf = (response: Response): string => traceOf(response).requestId ?? "";

/**
 * Notes the credential that makes a request, once it is known to be its own. From then on every log line of the request says
 * so, and the request is one of its merchant's log.
 */
export function noteCaller(
  response: Response,
  { merchantId, credentialId, mode }: { merchantId: string; credentialId: string; mode: Mode },
): void {
  Object.assign(traceOf(response), { merchantId, credentialId, mode });
}

/** Notes whose order or account a request is about. A shopper's call holds what its merchant may not see, and is in no log of it. */
export function noteMerchant(response: Response, { merchantId }: { merchantId: string }): void {
  traceOf(response).merchantId = merchantId;
}

/** Notes what is answered, for the log of requests. */
export function noteAnswer(response: Response, answer: unknown): void {
  traceOf(response).answer = answer;
}

/** A call by a credential of a merchant, for the log of requests; undefined for any other. */
export function calledBy(
  response: Response,
): { merchantId: string; credentialId: string; mode: Mode; requestId: string; answer: unknown } | undefined {
  const { merchantId, credentialId, mode, requestId = "", answer } = traceOf(response);
  if (merchantId === undefined || credentialId === undefined || mode === undefined) return undefined;
  return { merchantId, credentialId, mode, requestId, answer };
}

/** Notes the shopper's address on an internal edge, where it is not the peer's. */
export function noteClientAddress(response: Response, clientAddress: string): void {
  traceOf(response).clientAddress = clientAddress;
}

/** Notes the pattern of the route that answers; addresses themselves hold payment tokens. */
export function noteRoute(response: Response, route: string): void {
  traceOf(response).route = route;
}

/** The pattern of the route that answered; undefined for an address that no route has. */
export const routeOf = (response: Response): string | undefined => traceOf(response).route;

/** The fields of every log line about a request. */
export function traceFields(request: Request, response: Response): Record<string, string | undefined> {
  const { merchantId, credentialId, clientAddress } = traceOf(response);
  return {
    route: routeOf(response),
    merchant: merchantId,
    credential: credentialId,
    network: clientNetwork(clientAddress ?? request.ip ?? "unknown"),
  };
}
