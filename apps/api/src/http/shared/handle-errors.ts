import { CHECKOUT_PATH } from "@tillgate/contract";
import type { ErrorRequestHandler } from "express";
import type { Logger } from "pino";
import { OperationError, Refusal } from "../../operations/errors.js";
import { type ErrorAnswer, fail } from "./answer.js";
import { HttpError, InvalidRequestError } from "./http-error.js";
import { REFUSAL_ANSWERS } from "./refusal-table.js";

/** What the body reader and the router say about a request, by the type they give their errors. */
const READER_ANSWERS: Record<string, [status: number, text: string]> = {
  "entity.parse.failed": [400, "Malformed JSON"],
  "entity.too.large": [413, "The body is larger than 64 KiB"],
  "charset.unsupported": [415, "The body must be JSON in UTF-8"],
  "encoding.unsupported": [415, "The body's encoding is not supported"],
  "request.aborted": [400, "The request was cut off"],
  "request.size.invalid": [400, "The body's length is not what was announced"],
};

const property = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;

/**
 * What is logged of an error that nobody expected. A database's own detail of it quotes whole rows, payment tokens among
 * them, so only what names the place is kept.
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

function refusalAnswer({
  refusal,
  details,
}: OperationError): ErrorAnswer & { headers: Record<string, string> } {
  const { status, text, reason } = REFUSAL_ANSWERS[refusal];
  const hint = refusal === Refusal.WrongMode ? ` This is a ${details.credentialMode} key.` : "";
  return {
    status,
    texts: details.fields ? Object.values(details.fields).flat() : [text + hint],
    fields: details.fields,
    reason,
    headers: {
      ...(details.retryAfterSeconds ? { "Retry-After": String(details.retryAfterSeconds) } : {}),
      ...(refusal === Refusal.InvalidCredentials || refusal === Refusal.WrongMode
        ? { "WWW-Authenticate": 'Basic realm="Tillgate", charset="UTF-8"' }
        : {}),
    },
  };
}

/** Turns everything that was thrown into the error envelope. What nobody expected is logged, and only its request id told. */
export const handleErrors =
  (log: Logger): ErrorRequestHandler =>
  (error, request, response, next) => {
    if (response.headersSent) return next(error);
    const onCheckout = request.originalUrl.startsWith(CHECKOUT_PATH);
    if (error instanceof OperationError) {
      const { headers, ...answer } = refusalAnswer(error);
      response.set(headers);
      return fail(response, { ...answer, reason: onCheckout ? answer.reason : undefined });
    }
    if (error instanceof InvalidRequestError)
      return fail(response, {
        status: 400,
        texts: Object.values(error.fields).flat(),
        fields: error.fields,
        reason: onCheckout ? "invalid_field" : undefined,
      });
    if (error instanceof HttpError) {
      response.set(error.headers);
      return fail(response, { status: error.status, texts: [error.message] });
    }
    const known = READER_ANSWERS[String(property(error, "type"))];
    if (known) return fail(response, { status: known[0], texts: [known[1]] });
    if (error instanceof URIError) return fail(response, { status: 400, texts: ["Malformed address"] });
    log.error({ err: loggable(error), requestId: request.id }, "unexpected error");
    return fail(response, { status: 500, texts: [`Internal error. Request id: ${String(request.id)}`] });
  };
