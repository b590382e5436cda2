import {
  type Api,
  CHECKOUT_PATH,
  CONSOLE_PATH,
  ErrorCode,
  type ErrorEnvelope,
  NumberText,
  PARTNER_API_PATHS,
  type Pagination,
} from "@tillgate/contract";
import { fitsWireNumber, formatDecimal, toWireNumber } from "@tillgate/money";
import type { Application, RequestHandler, Response, Router } from "express";
import { stringify } from "lossless-json";
import { OperationError } from "../../errors.js";
import { setLoggedResponse, setRoute } from "./trace.js";

type Method = "get" | "post" | "put";

/** Serves a path with the handlers of each method, in order. Other methods get a 405 with `Allow`. */
export function serve(
  router: Router | Application,
  path: string,
  handlers: Partial<Record<Method, RequestHandler | RequestHandler[]>>,
): void {
  const route = router.route(path);
  route.all((request, response, next) => {
    setRoute(response, `${request.baseUrl}${path}`);
    next();
  });
  const allowed: string[] = [];
  if (handlers.get) {
    route.get(handlers.get);
    allowed.push("GET", "HEAD");
  }
  if (handlers.post) {
    route.post(handlers.post);
    allowed.push("POST");
  }
  if (handlers.put) {
    route.put(handlers.put);
    allowed.push("PUT");
  }
  route.all(() => {
    throw new OperationError(ErrorCode.MethodNotAllowed, { allow: allowed.join(", ") });
  });
}

export const unknownRoute: RequestHandler = () => {
  throw new OperationError(ErrorCode.UnknownRoute);
};

/** Returns the API that a path belongs to. A path outside all APIs gets the Pay API's errors. */
export const getApi = (address: string): Api => {
  if (address.startsWith(`${CHECKOUT_PATH}/`)) return "checkout";
  if (address.startsWith(`${CONSOLE_PATH}/`)) return "console";
  return PARTNER_API_PATHS.some((path) => address.startsWith(`${path}/`)) ? "partner" : "pay";
};

export const succeed = (response: Response, message: string, data: unknown): void => {
  const envelope = { message: { success: [message] }, data };
  setLoggedResponse(response, envelope);
  response.json(envelope);
};

const numberText = { test: (value: unknown) => value instanceof NumberText, stringify: String };

/** Like {@link succeed}, but sends every digit of numbers that a double would round. */
export const succeedExactly = (response: Response, message: string, data: unknown): void => {
  const envelope = { message: { success: [message] }, data };
  setLoggedResponse(response, envelope);
  response.type("json").send(stringify(envelope, undefined, undefined, [numberText]));
};

/** Sends an error envelope. Its code becomes the HTTP status. */
export function fail(response: Response, envelope: ErrorEnvelope): void {
  setLoggedResponse(response, envelope);
  response.status(envelope.message.code).json(envelope);
}

/** Describes a page's position in its list. `pagination` is null for a page that was requested by cursor. */
export const toListPosition = (
  { page, per_page }: { page: number; per_page: number },
  { total, next }: { total: number | null; next: string | null },
): { pagination: Pagination | null; next_cursor: string | null } => ({
  pagination:
    total === null
      ? null
      : { current_page: page, per_page, total, last_page: Math.max(1, Math.ceil(total / per_page)) },
  next_cursor: next,
});

/** Returns an amount as a number; if a double would round it, as a {@link NumberText} with all digits, for {@link succeedExactly}. */
export const exactNumber = (minor: bigint, digits: number): number | NumberText =>
  fitsWireNumber(minor) ? toWireNumber(minor, digits) : new NumberText(formatDecimal(minor, digits));
