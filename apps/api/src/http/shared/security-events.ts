import { Refusal } from "@tillgate/contract";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import { OperationError } from "../../errors.js";
import type { Counters, SecurityEvent } from "../../metrics/counters.js";
import { requestIdOf, traceFields } from "./trace.js";

/** Refusals that may be traces of an attack. Each is also an everyday mistake: only their number is a sign. */
const EVENTS = new Map<Refusal, SecurityEvent>([
  [Refusal.InvalidCredentials, "wrong_secret"],
  [Refusal.InvalidSecretId, "wrong_secret"],
  [Refusal.WrongMode, "refused_key"],
  [Refusal.SecretIdOfOtherMode, "refused_key"],
  [Refusal.InvalidAccessToken, "refused_token"],
  [Refusal.WrongSignIn, "wrong_pin"],
  [Refusal.WrongPin, "wrong_pin"],
  [Refusal.WrongEmailOrPassword, "wrong_password"],
  [Refusal.WrongPassword, "wrong_password"],
  [Refusal.WrongCode, "wrong_code"],
  [Refusal.PasskeyRefused, "wrong_code"],
  [Refusal.Locked, "locked"],
  [Refusal.SignInLocked, "locked"],
  [Refusal.DeviceLocked, "locked"],
  [Refusal.FormRejected, "refused_form"],
  [Refusal.TooManyRequests, "rate_limited"],
  [Refusal.TooManyAttempts, "rate_limited"],
]);

/** A call of an internal edge with a wrong key. */
export class RefusedKeyError extends OperationError {
  constructor() {
    super(Refusal.UnknownRoute);
  }
}

/** Logs and counts the traces of an attack under fixed names; ignores other refusals. */
export function recordSecurityEvent(
  { log, counters }: { log: Pick<Logger, "warn">; counters: Counters },
  api: string,
  error: OperationError,
  { request, response }: { request: Request; response: Response },
): void {
  const event = error instanceof RefusedKeyError ? "refused_key" : EVENTS.get(error.refusal);
  if (event === undefined) return;
  counters.security(event, api);
  log.warn(
    { event, requestId: requestIdOf(response), ...traceFields(request, response) },
    "a call was refused",
  );
}
