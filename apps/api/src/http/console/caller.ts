import {
  type ConsoleRight,
  ErrorCode,
  isTimeZone,
  type Mode,
  modeSchema,
  TIME_ZONE_HEADER,
  UTC,
} from "@tillgate/contract";
import type { Request, RequestHandler, Response } from "express";
import type { Administrator } from "../../audit/administrator.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { type ConsoleAccess, requireConsoleAccess } from "../../identity/console/access.js";
import {
  authenticateConsoleSession,
  type ConsoleClient,
  type ConsoleSession,
  requireFreshSecondFactor,
} from "../../identity/console/session.js";
import { getEndUserAddress, getInternalHeader } from "../shared/admit.js";
import { pathParameter } from "../shared/parse.js";
import { setLoggedMerchant } from "../shared/trace.js";

export const readSessionToken = (request: Request): string | undefined =>
  getInternalHeader(request, "x-tillgate-console-session");

export const readClient = (request: Request): ConsoleClient => ({
  clientAddress: getEndUserAddress(request),
  browser: getInternalHeader(request, "x-tillgate-client-browser") ?? "",
});

/** Returns the user's time zone; UTC if it is missing or unknown. */
export function readTimeZone(request: Request): string {
  const name = getInternalHeader(request, TIME_ZONE_HEADER);
  return isTimeZone(name) ? name : UTC;
}

type Handle<Known> = (known: Known, request: Request, response: Response) => Promise<void>;

/** Wraps a handler that also accepts a session whose second factor is not verified yet. @throws OperationError NotSignedIn. */
export const withSession =
  (context: Context) =>
  (handle: Handle<ConsoleSession>): RequestHandler =>
  async (request, response) =>
    handle(await authenticateConsoleSession(context, readSessionToken(request) ?? ""), request, response);

/** Wraps a handler that requires a signed-in user. @throws OperationError NotSignedIn, SecondFactorNeeded. */
export const withSignedIn = (context: Context) => (handle: Handle<ConsoleSession>) =>
  withSession(context)((session, request, response) => {
    if (session.waiting) throw new OperationError(ErrorCode.SecondFactorNeeded);
    return handle(session, request, response);
  });

type UserAccess = ConsoleAccess & { timeZone: string };

/** Wraps a handler that requires a right on the merchant in the path. @throws the errors of {@link withSignedIn} and {@link requireConsoleAccess}. */
export const withRight = (context: Context) => (right: ConsoleRight, handle: Handle<UserAccess>) =>
  withSignedIn(context)(async (session, request, response) => {
    const access = await requireConsoleAccess(context, session, {
      merchantId: pathParameter(request, "merchant"),
      right,
    });
    setLoggedMerchant(response, { merchantId: access.merchantId });
    await handle({ ...access, timeZone: readTimeZone(request) }, request, response);
  });

/** @throws OperationError UnknownRoute for an invalid mode. */
export function readPathMode(request: Request): Mode {
  const mode = modeSchema.safeParse(request.params.mode);
  if (!mode.success) throw new OperationError(ErrorCode.UnknownRoute);
  return mode.data;
}

/** Like {@link withRight}, for a path with a mode. @throws OperationError UnknownRoute for an invalid mode, before any other error. */
export const withRightInMode = (context: Context) => {
  const allowed = withRight(context);
  return (right: ConsoleRight, handle: Handle<UserAccess & { mode: Mode }>): RequestHandler => {
    const handler = allowed(right, (access, request, response) =>
      handle({ ...access, mode: readPathMode(request) }, request, response),
    );
    return async (request, response, next) => {
      readPathMode(request);
      await handler(request, response, next);
    };
  };
};

/**
 * Wraps a handler that requires an administrator and, if `fresh`, a recently verified second factor.
 * @throws OperationError RoleNotAllowed; the errors of {@link withSignedIn} and, if `fresh`, {@link requireFreshSecondFactor}.
 */
export const withAdministrator =
  (context: Context) =>
  ({ fresh }: { fresh: boolean }, handle: Handle<Administrator>): RequestHandler =>
    withSignedIn(context)(async (session, request, response) => {
      const { id, email, role } = session.user;
      if (role !== "administrator") throw new OperationError(ErrorCode.RoleNotAllowed);
      if (fresh) requireFreshSecondFactor(session);
      await handle({ id, email }, request, response);
    });
