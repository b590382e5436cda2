import { createHash, timingSafeEqual } from "node:crypto";
import { ErrorCode } from "@tillgate/contract";
import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { CallerTerms, Client } from "../../identity/credentials/authenticate.js";
import type { CallOrigin } from "../../identity/credentials/last-used.js";
import { consumeRequestLimit } from "../../identity/credentials/limits.js";
import {
  type Allowance,
  requireAllowed,
  toResetSeconds,
  WINDOW_SECONDS,
} from "../../platform/rate-limits.js";
import { WrongKeyError } from "./security-events.js";
import { applyTestControl } from "./test-controls.js";
import { setLoggedCaller } from "./trace.js";

/** Routes that an order-only key may write to. */
const ORDER_ROUTES = [
  "/orders",
  "/orders/:orderId/cancel",
  "/orders/:orderId/simulate",
  "/payment/create",
  // It changes neither orders nor money, and shops compare with the key that creates their orders.
  "/comparisons/:day",
];
/** Prefix of the routes that a reports-only key may read. */
const REPORT_ROUTES = "/reports/";
const routeSchema = z.object({ path: z.string() });

/** Sets the headers of ratelimit-headers-06: limit and remaining in requests, reset in seconds. @throws OperationError TooManyRequests. */
export function applyAllowance(response: Response, allowance: Allowance): void {
  const { limit, remaining } = allowance;
  response.set({
    "RateLimit-Policy": `${limit};w=${WINDOW_SECONDS}`,
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(toResetSeconds(allowance)),
  });
  requireAllowed(allowance);
}

type Admission = {
  request: Request;
  response: Response;
  /** False for calls that create or clear test controls. Default: true. */
  testControls?: boolean;
};

/** @throws OperationError TooManyRequests, ReadOnlyCredential, OrderOnlyCredential, ReportsOnlyCredential; the error of a sandbox test control. */
export async function admit(
  context: Context,
  api: "pay" | "partner",
  caller: Client & CallerTerms,
  { request, response, testControls = true }: Admission,
): Promise<void> {
  setLoggedCaller(response, caller);
  applyAllowance(response, await consumeRequestLimit(context, api, caller));
  requirePermission(caller, request);
  if (testControls) await applyTestControl(context, caller, response);
}

/** No issued token is longer. */
const MAX_TOKEN_LENGTH = 2_048;

/** Null if the header is missing, malformed or too long. */
export function parseBearerToken(request: Request): string | null {
  const [scheme, token, ...rest] = (request.get("authorization") ?? "").split(" ");
  const usable =
    scheme?.toLowerCase() === "bearer" && token && rest.length === 0 && token.length <= MAX_TOKEN_LENGTH;
  return usable ? token : null;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Calls without the key get a 404. If `key` is undefined, all calls do. */
export function requireInternalKey(key: string | undefined): RequestHandler {
  const expected = key === undefined ? undefined : digest(key);
  return (request, _response, next) => {
    const presented = digest(request.get("x-tillgate-internal-key") ?? "");
    if (expected === undefined || !timingSafeEqual(presented, expected)) throw new WrongKeyError();
    next();
  };
}

const MAX_HEADER_LENGTH = 256;

/** Undefined if missing or empty; truncated if too long. */
export const getInternalHeader = (
  request: Request,
  name: string,
  longest = MAX_HEADER_LENGTH,
): string | undefined => request.get(name)?.slice(0, longest) || undefined;

/** The address reported by the payment page's or the console's server, which the internal key authenticates; otherwise the peer's. */
export const getEndUserAddress = (request: Request): string =>
  getInternalHeader(request, "x-tillgate-client-address") ?? request.socket.remoteAddress ?? "unknown";

/** The peer's address, or the one reported by a trusted proxy; `unknown` for a closed connection. */
export const getClientAddress = (request: Request): string => request.ip ?? "unknown";

export const getCallOrigin = (request: Request): CallOrigin => ({
  clientAddress: getClientAddress(request),
  site: request.get("tillgate-site"),
});

/** @throws OperationError ReadOnlyCredential, OrderOnlyCredential, ReportsOnlyCredential. */
function requirePermission({ readOnly, orderOnly, reportsOnly }: CallerTerms, request: Request): void {
  const route = routeSchema.safeParse(request.route).data?.path ?? "";
  if (reportsOnly && !route.startsWith(REPORT_ROUTES))
    throw new OperationError(ErrorCode.ReportsOnlyCredential);
  if (request.method === "GET" || request.method === "HEAD") return;
  if (readOnly) throw new OperationError(ErrorCode.ReadOnlyCredential);
  if (orderOnly && !ORDER_ROUTES.includes(route)) throw new OperationError(ErrorCode.OrderOnlyCredential);
}
