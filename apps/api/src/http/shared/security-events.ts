import { ErrorCode } from "@tillgate/contract";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import { OperationError } from "../../errors.js";
import type { Counters, SecurityEvent } from "../../metrics/counters.js";
import { getRequestId, traceFields } from "./trace.js";

/** Errors that may indicate an attack. Each is also an everyday mistake, so only its rate is significant. */
const EVENTS = new Map<ErrorCode, SecurityEvent>([
  [ErrorCode.InvalidCredentials, "wrong_secret"],
  [ErrorCode.InvalidSecretId, "wrong_secret"],
  [ErrorCode.WrongMode, "refused_key"],
  [ErrorCode.SecretIdOfOtherMode, "refused_key"],
  [ErrorCode.InvalidAccessToken, "refused_token"],
  [ErrorCode.WrongSignIn, "wrong_pin"],
  [ErrorCode.WrongPin, "wrong_pin"],
  [ErrorCode.WrongEmailOrPassword, "wrong_password"],
  [ErrorCode.WrongPassword, "wrong_password"],
  [ErrorCode.WrongCode, "wrong_code"],
  [ErrorCode.PasskeyRefused, "wrong_code"],
  [ErrorCode.Locked, "locked"],
  [ErrorCode.SignInLocked, "locked"],
  [ErrorCode.DeviceLocked, "locked"],
  [ErrorCode.FormRejected, "refused_form"],
  [ErrorCode.TooManyRequests, "rate_limited"],
  [ErrorCode.TooManyAttempts, "rate_limited"],
]);

/** A call to an internal API or to `/metrics` with a wrong key. */
export class WrongKeyError extends OperationError {
  constructor() {
    super(ErrorCode.UnknownRoute);
  }
}

/** Logs and counts possible attacks under fixed names; ignores other errors. */
export function recordSecurityEvent(
  { log, counters }: { log: Pick<Logger, "warn">; counters: Counters },
  api: string,
  error: OperationError,
  { request, response }: { request: Request; response: Response },
): void {
  const event = error instanceof WrongKeyError ? "refused_key" : EVENTS.get(error.errorCode);
  if (event === undefined) return;
  counters.security(event, api);
  log.warn(
    { event, requestId: getRequestId(response), ...traceFields(request, response) },
    "rejected a request",
  );
}
