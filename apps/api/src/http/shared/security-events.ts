import { Refusal } from "@tillgate/contract";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { Metrics, SecurityEvent } from "../../metrics.js";
import { OperationError } from "../../operation-error.js";
import { traceFields } from "./trace.js";

/** What a refusal may be the trace of. Each is also an everyday mistake: it is their number that tells. */
const EVENTS = new Map<Refusal, SecurityEvent>([
  [Refusal.InvalidCredentials, "wrong_secret"],
  [Refusal.InvalidSecretId, "wrong_secret"],
  [Refusal.WrongMode, "refused_key"],
  [Refusal.SecretIdOfOtherMode, "refused_key"],
  [Refusal.InvalidAccessToken, "refused_token"],
  [Refusal.WrongSignIn, "wrong_pin"],
  [Refusal.WrongPin, "wrong_pin"],
  [Refusal.Locked, "locked"],
  [Refusal.DeviceLocked, "locked"],
  [Refusal.FormRejected, "refused_form"],
  [Refusal.TooManyRequests, "rate_limited"],
  [Refusal.TooManyAttempts, "rate_limited"],
]);

/** A call of an edge that only our own programs know, with another key than theirs. */
export class RefusedKeyError extends OperationError {
  constructor() {
    super(Refusal.UnknownRoute);
  }
}

/** Logs and counts what an attack leaves behind, under a fixed name; a refusal that is no trace of one is passed over. */
export function recordSecurityEvent(
  { log, metrics }: { log: Pick<Logger, "warn">; metrics: Metrics },
  api: string,
  error: OperationError,
  { request, response }: { request: Request; response: Response },
): void {
  const event = error instanceof RefusedKeyError ? "refused_key" : EVENTS.get(error.refusal);
  if (event === undefined) return;
  metrics.security(event, api);
  log.warn({ event, requestId: request.id, ...traceFields(request, response) }, "a call was refused");
}
