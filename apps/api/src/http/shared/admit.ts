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
  // A comparison changes neither orders nor money, and shops send it with the key that creates their orders.
  "/comparisons/:day",
];
/** Prefix of the routes that a reports-only key may read. */
const REPORT_ROUTES = "/reports/";
const routeSchema = z.object({ path: z.string() });

/** Sets the headers of ratelimit-headers-06 (reset in seconds), and rejects a request over the limit. @throws OperationError TooManyRequests. */
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
  /** Whether test controls apply; false for the calls that create or clear them. Default: true. */
  testControls?: boolean;
};

/**
 * Counts an authenticated call against the rate limit, checks the key's permissions, and applies a sandbox test control, if any.
 * @throws OperationError TooManyRequests, ReadOnlyCredential, OrderOnlyCredential, ReportsOnlyCredential; the error of a test control.
 */
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

/** Issued tokens are never longer, so longer tokens are not looked up. */
const MAX_TOKEN_LENGTH = 2_048;

/** Returns the token of `Authorization: Bearer <token>`; null if the header is missing or malformed, or the token is too long. */
export function parseBearerToken(request: Request): string | null {
  const [scheme, token, ...rest] = (request.get("authorization") ?? "").split(" ");
  const usable =
    scheme?.toLowerCase() === "bearer" && token && rest.length === 0 && token.length <= MAX_TOKEN_LENGTH;
  return usable ? token : null;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Responds with a 404 to calls that lack the internal key, and to all calls if `key` is undefined. */
export function requireInternalKey(key: string | undefined): RequestHandler {
  const expected = key === undefined ? undefined : digest(key);
  return (request, _response, next) => {
    const presented = digest(request.get("x-tillgate-internal-key") ?? "");
    if (expected === undefined || !timingSafeEqual(presented, expected)) throw new WrongKeyError();
    next();
  };
}

const MAX_HEADER_LENGTH = 256;

/** Returns a header of an internal call; undefined if it is missing or empty. A value that is too long is truncated. */
export const getInternalHeader = (
  request: Request,
  name: string,
  longest = MAX_HEADER_LENGTH,
): string | undefined => request.get(name)?.slice(0, longest) || undefined;

/** Returns the end user's address that the payment page or console reports; by default, the peer's address. Only for authenticated internal calls. */
export const getEndUserAddress = (request: Request): string =>
  getInternalHeader(request, "x-tillgate-client-address") ?? request.socket.remoteAddress ?? "unknown";

/** Returns the peer's address, or the address reported by a trusted proxy; `unknown` if the connection is closed. */
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
