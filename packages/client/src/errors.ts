import type { FieldErrors } from "@tillgate/contract";

/** The call that failed. Never contains secrets or credentials. */
export type CallContext = {
  /** `POST /orders` */
  operation: string;
  attempts: number;
};

/** Base class of this client's errors: `catch (error) { if (error instanceof TillgateError) … }`. */
export abstract class TillgateError extends Error {
  readonly operation: string;
  readonly attempts: number;

  constructor(text: string, context: CallContext, cause?: unknown) {
    super(`${context.operation}: ${text}`, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.operation = context.operation;
    this.attempts = context.attempts;
  }
}

type ApiRejection = {
  status: number;
  messages: string[];
  errorCode: string | null;
  param: string | null;
  fieldErrors: FieldErrors;
  requestId: string | null;
  retryAfterMs: number | null;
};

/** Tillgate returned an error response. */
export class TillgateApiError extends TillgateError {
  readonly status: number;
  readonly messages: string[];
  /** The error code, such as `duplicate_reference`; null if Tillgate sent none. Unlike the messages, the code does not change. */
  readonly errorCode: string | null;
  /** The invalid field, if there is exactly one. */
  readonly param: string | null;
  /** For a validation error, the messages for each invalid field; otherwise empty. */
  readonly fieldErrors: FieldErrors;
  /** The response's `X-Request-Id`, for support requests. */
  readonly requestId: string | null;
  /** `Retry-After` in milliseconds, if sent. */
  readonly retryAfterMs: number | null;

  constructor(rejection: ApiRejection, context: CallContext) {
    super(`${rejection.messages.join(" ")} (HTTP ${rejection.status})`, context);
    this.status = rejection.status;
    this.messages = rejection.messages;
    this.errorCode = rejection.errorCode;
    this.param = rejection.param;
    this.fieldErrors = rejection.fieldErrors;
    this.requestId = rejection.requestId;
    this.retryAfterMs = rejection.retryAfterMs;
  }
}

export type ConnectionFailure = "network" | "timeout" | "aborted";

/** No complete response was received. The outcome of a write is unknown: retry with the same idempotency key. */
export class TillgateConnectionError extends TillgateError {
  readonly reason: ConnectionFailure;

  constructor(reason: ConnectionFailure, text: string, context: CallContext, cause?: unknown) {
    super(text, context, cause);
    this.reason = reason;
  }
}

/** A response that does not match the contract, such as a proxy's page, a redirect or an unexpected body. */
export class TillgateResponseError extends TillgateError {
  readonly status: number;
  readonly requestId: string | null;

  constructor(response: { status: number; requestId: string | null; text: string }, context: CallContext) {
    super(`${response.text} (HTTP ${response.status})`, context);
    this.status = response.status;
    this.requestId = response.requestId;
  }
}
