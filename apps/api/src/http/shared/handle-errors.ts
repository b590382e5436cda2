import { CHECKOUT_PATH, CONSOLE_PATH, type FieldErrors, PARTNER_API_PATHS } from "@tillgate/contract";
import { isUnavailable } from "@tillgate/database";
import type { ErrorRequestHandler } from "express";
import type { Logger } from "pino";
import { RETRY_AFTER_SECONDS, UnavailableError } from "../../availability.js";
import { OperationError } from "../../operations/errors.js";
import { type ErrorAnswer, fail } from "./answer.js";
import { HttpError, InvalidRequestError } from "./http-error.js";
import { REFUSAL_ANSWERS } from "./refusal-table.js";

/** What the body reader and the router say about a request, by the type they give their errors. */
const READER_ANSWERS: Record<string, [status: number, text: string]> = {
  "entity.parse.failed": [400, "Malformed JSON"],
  "charset.unsupported": [415, "The body must be JSON in UTF-8"],
  "encoding.unsupported": [415, "The body's encoding is not supported"],
  "request.aborted": [400, "The request was cut off"],
  "request.size.invalid": [400, "The body's length is not what was announced"],
};

const property = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;

const UNAVAILABLE_TEXT = "The service cannot answer now. Try again shortly.";

type Api = "checkout" | "console" | "partner" | "pay";

const apiOf = (address: string): Api => {
  if (address.startsWith(`${CHECKOUT_PATH}/`)) return "checkout";
  if (address.startsWith(`${CONSOLE_PATH}/`)) return "console";
  return PARTNER_API_PATHS.some((path) => address.startsWith(`${path}/`)) ? "partner" : "pay";
};

/** What is wrong with which field: 422 on the Partner API, 400 elsewhere. */
const invalidFields = (api: Api, fields: FieldErrors): ErrorAnswer =>
  api === "partner"
    ? { status: 422, texts: ["Validation error"], fields }
    : {
        status: 400,
        texts: Object.values(fields).flat(),
        fields,
        reason: api === "checkout" ? "invalid_field" : undefined,
      };

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

function refusalAnswer(
  { refusal, details }: OperationError,
  api: Api,
): ErrorAnswer & { headers: Record<string, string> } {
  const { status, text, reason } = REFUSAL_ANSWERS[refusal];
  const hint = details.credentialMode
    ? `${text.endsWith(".") ? "" : "."} This is a ${details.credentialMode} key.`
    : "";
  const scheme = api === "partner" ? 'Bearer realm="Tillgate"' : 'Basic realm="Tillgate", charset="UTF-8"';
  return {
    status,
    texts: [text.replace("{currency}", () => details.currency ?? "") + hint],
    reason: api === "checkout" ? reason : undefined,
    missing: api === "checkout" ? details.missing : undefined,
    headers: {
      ...(details.retryAfterSeconds ? { "Retry-After": String(details.retryAfterSeconds) } : {}),
      ...(status === 401 && (api === "pay" || api === "partner") ? { "WWW-Authenticate": scheme } : {}),
    },
  };
}

/** Turns everything that was thrown into the error envelope. What nobody expected is logged, and only its request id told. */
export const handleErrors =
  (log: Logger): ErrorRequestHandler =>
  (error, request, response, next) => {
    // Answered already, when the database stopped answering; the connection may serve another request by now.
    if (response.writableEnded) return;
    if (response.headersSent) return next(error);
    const api = apiOf(request.originalUrl);
    if (error instanceof InvalidRequestError) return fail(response, invalidFields(api, error.fields));
    if (error instanceof OperationError) {
      if (error.details.fields) return fail(response, invalidFields(api, error.details.fields));
      const { headers, ...answer } = refusalAnswer(error, api);
      response.set(headers);
      return fail(response, answer);
    }
    if (error instanceof HttpError) {
      response.set(error.headers);
      return fail(response, { status: error.status, texts: [error.message] });
    }
    const known = READER_ANSWERS[String(property(error, "type"))];
    if (known) return fail(response, { status: known[0], texts: [known[1]] });
    if (error instanceof URIError) return fail(response, { status: 400, texts: ["Malformed address"] });
    if (error instanceof UnavailableError || isUnavailable(error)) {
      log.warn({ err: loggable(error), requestId: request.id }, "refused: the service cannot answer now");
      response.set("Retry-After", String(RETRY_AFTER_SECONDS));
      return fail(response, { status: 503, texts: [UNAVAILABLE_TEXT] });
    }
    log.error({ err: loggable(error), requestId: request.id }, "unexpected error");
    return fail(response, { status: 500, texts: [`Internal error. Request id: ${String(request.id)}`] });
  };
