import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type Api, ErrorCode, errorEnvelope, getStatus } from "@tillgate/contract";
import { isUnavailable } from "@tillgate/service/unavailable";
import type { ErrorRequestHandler, RequestHandler } from "express";
import type { Logger } from "pino";
import { OperationError } from "../../errors.js";
import type { Counters } from "../../metrics/counters.js";
import {
  type Availability,
  findUnavailableReason,
  RETRY_AFTER_SECONDS,
  UnavailableError,
  type UnavailableReason,
} from "../../platform/availability.js";
import { fail, getApi } from "./routes.js";
import { recordSecurityEvent } from "./security-events.js";
import { getRequestId, traceFields } from "./trace.js";

/** Detailed errors for the console and the readiness check. Other callers learn only that the service is unavailable. */
export const UNAVAILABLE_ERRORS: Record<UnavailableReason, ErrorCode> = {
  silent: ErrorCode.DatabaseSilent,
  full: ErrorCode.DatabaseFull,
  busy: ErrorCode.DatabaseBusy,
};

const BODY_PARSER_ERRORS: Record<string, ErrorCode> = {
  "entity.parse.failed": ErrorCode.MalformedJson,
  "entity.too.large": ErrorCode.BodyTooLarge,
  "charset.unsupported": ErrorCode.UnsupportedCharset,
  "encoding.unsupported": ErrorCode.UnsupportedEncoding,
  "request.aborted": ErrorCode.RequestCutOff,
  "request.size.invalid": ErrorCode.WrongBodyLength,
};

const property = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;

/** Returns the fields to log for an error. The database's detail is omitted, because it quotes whole rows, including payment tokens. */
function toLogFields(error: unknown): Record<string, unknown> {
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

/** Returns the error that the caller receives; undefined for an unexpected error. */
function asOperationError(error: unknown): OperationError | undefined {
  if (error instanceof OperationError) return error;
  if (error instanceof URIError) return new OperationError(ErrorCode.MalformedAddress);
  const errorCode = BODY_PARSER_ERRORS[String(property(error, "type"))];
  return errorCode && new OperationError(errorCode);
}

function errorHeaders({ errorCode, details }: OperationError, api: Api): Record<string, string> {
  const scheme = api === "partner" ? 'Bearer realm="Tillgate"' : 'Basic realm="Tillgate", charset="UTF-8"';
  const challenged = getStatus(errorCode, api) === 401 && (api === "pay" || api === "partner");
  return {
    ...(details.retryAfterSeconds ? { "Retry-After": String(details.retryAfterSeconds) } : {}),
    ...(details.allow ? { Allow: details.allow } : {}),
    ...(challenged ? { "WWW-Authenticate": scheme } : {}),
  };
}

/** Sends the error envelope. An unexpected error is logged, and the caller receives only the request ID. */
export const handleErrors =
  (parts: {
    log: Logger;
    counters: Counters;
    availability: Pick<Availability, "report">;
  }): ErrorRequestHandler =>
  (error, request, response, next) => {
    // The response was sent when the database became unavailable.
    if (response.writableEnded) return;
    if (response.headersSent) return next(error);
    const api = getApi(request.originalUrl);
    const operationError = asOperationError(error);
    if (operationError) {
      recordSecurityEvent(parts, api, operationError, { request, response });
      response.set(errorHeaders(operationError, api));
      return fail(response, errorEnvelope(operationError.errorCode, api, operationError.details));
    }
    if (error instanceof UnavailableError || isUnavailable(error)) {
      parts.log.warn(
        { err: toLogFields(error), requestId: getRequestId(response), ...traceFields(request, response) },
        "rejected a request: the service is unavailable",
      );
      parts.availability.report(error);
      response.set("Retry-After", String(RETRY_AFTER_SECONDS));
      const errorCode =
        api === "console" ? UNAVAILABLE_ERRORS[findUnavailableReason(error)] : ErrorCode.Unavailable;
      return fail(response, errorEnvelope(errorCode, api));
    }
    parts.log.error(
      { err: toLogFields(error), requestId: getRequestId(response), ...traceFields(request, response) },
      "unexpected error",
    );
    return fail(response, errorEnvelope(ErrorCode.InternalError, api, { requestId: getRequestId(response) }));
  };

/** Responses to errors of Node's HTTP parser, by the parser's error code. */
const HTTP_PARSER_ERRORS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: ErrorCode.HeadersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: ErrorCode.RequestTooSlow,
};

/**
 * Sends the error envelope for malformed or slow requests, large headers and an unknown `Expect`, to which Node itself would respond without a
 * body.
 */
export function rejectMalformedRequests(server: Server, log: Pick<Logger, "info">): void {
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const envelope = errorEnvelope(ErrorCode.UnknownExpectation, getApi(request.url ?? ""));
    response.writeHead(envelope.message.code, {
      "Content-Type": "application/json; charset=utf-8",
      "X-Request-Id": `req_${randomUUID().replaceAll("-", "")}`,
      Connection: "close",
    });
    response.end(JSON.stringify(envelope));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const requestId = `req_${randomUUID().replaceAll("-", "")}`;
    const envelope = errorEnvelope(HTTP_PARSER_ERRORS[error.code ?? ""] ?? ErrorCode.MalformedRequest, "pay");
    const status = envelope.message.code;
    log.info({ requestId, code: error.code, status }, "rejected a malformed or slow request");
    const body = JSON.stringify(envelope);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      "Connection: close",
    ];
    return socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
}

/** Rejects an HTTP/1.1 request without `Host`, as RFC 9112, 3.2 requires. */
export const requireHost: RequestHandler = (request, _response, next) => {
  if (request.headers.host === undefined && request.httpVersion === "1.1")
    throw new OperationError(ErrorCode.MissingHost);
  next();
};
