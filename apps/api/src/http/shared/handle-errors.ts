import { type Api, errorEnvelope, Refusal, statusOf } from "@tillgate/contract";
import { isUnavailable } from "@tillgate/service/unavailable";
import type { ErrorRequestHandler } from "express";
import type { Logger } from "pino";
import { type Availability, RETRY_AFTER_SECONDS, troubleOf, UnavailableError } from "../../availability.js";
import type { Counters } from "../../metrics/counters.js";
import { OperationError } from "../../operation-error.js";
import { fail } from "./answer.js";
import { apiOf } from "./api-of.js";
import { recordSecurityEvent } from "./security-events.js";
import { requestIdOf, traceFields } from "./trace.js";
import { TROUBLE_REFUSALS } from "./trouble-refusals.js";

/** The body reader's errors, by their type. */
const READER_REFUSALS: Record<string, Refusal> = {
  "entity.parse.failed": Refusal.MalformedJson,
  "entity.too.large": Refusal.BodyTooLarge,
  "charset.unsupported": Refusal.UnsupportedCharset,
  "encoding.unsupported": Refusal.UnsupportedEncoding,
  "request.aborted": Refusal.RequestCutOff,
  "request.size.invalid": Refusal.WrongBodyLength,
};

const property = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;

/**
 * The logged part of an unexpected error. The database's detail quotes whole rows, with payment tokens, so only the place
 * is kept.
 */
function loggable(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    code: property(error, "code"),
    constraint: property(error, "constraint"),
    table: property(error, "table"),
  };
}

/** The caller's answer to an error; undefined for an unexpected one. */
function asOperationError(error: unknown): OperationError | undefined {
  if (error instanceof OperationError) return error;
  if (error instanceof URIError) return new OperationError(Refusal.MalformedAddress);
  const refusal = READER_REFUSALS[String(property(error, "type"))];
  return refusal && new OperationError(refusal);
}

function headersOf({ refusal, details }: OperationError, api: Api): Record<string, string> {
  const scheme = api === "partner" ? 'Bearer realm="Tillgate"' : 'Basic realm="Tillgate", charset="UTF-8"';
  const challenged = statusOf(refusal, api) === 401 && (api === "pay" || api === "partner");
  return {
    ...(details.retryAfterSeconds ? { "Retry-After": String(details.retryAfterSeconds) } : {}),
    ...(details.allow ? { Allow: details.allow } : {}),
    ...(challenged ? { "WWW-Authenticate": scheme } : {}),
  };
}

/**
 * Turns every thrown error into the error envelope. An unexpected one is logged, and its caller gets only the request id.
 */
export const handleErrors =
  (parts: {
    log: Logger;
    counters: Counters;
    availability: Pick<Availability, "heard">;
  }): ErrorRequestHandler =>
  (error, request, response, next) => {
    // Answered already, when the database stopped answering. The connection may serve another request by now.
    if (response.writableEnded) return;
    if (response.headersSent) return next(error);
    const api = apiOf(request.originalUrl);
    const refused = asOperationError(error);
    if (refused) {
      recordSecurityEvent(parts, api, refused, { request, response });
      response.set(headersOf(refused, api));
      return fail(response, errorEnvelope(refused.refusal, api, refused.details));
    }
    if (error instanceof UnavailableError || isUnavailable(error)) {
      parts.log.warn(
        { err: loggable(error), requestId: requestIdOf(response), ...traceFields(request, response) },
        "refused: the service cannot answer now",
      );
      parts.availability.heard(error);
      response.set("Retry-After", String(RETRY_AFTER_SECONDS));
      const refusal = api === "console" ? TROUBLE_REFUSALS[troubleOf(error)] : Refusal.Unavailable;
      return fail(response, errorEnvelope(refusal, api));
    }
    parts.log.error(
      { err: loggable(error), requestId: requestIdOf(response), ...traceFields(request, response) },
      "unexpected error",
    );
    return fail(response, errorEnvelope(Refusal.InternalError, api, { requestId: requestIdOf(response) }));
  };
