import type { FieldErrors } from "@tillgate/contract";

/** The call that failed. Never contains secrets or credentials. */
export type CallContext = {
  /** `POST /orders` */
  operation: string;
  /** The number of attempts. */
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

type ApiRefusal = {
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
  /** The HTTP status. */
  readonly status: number;
  /** The error messages, in order. */
  readonly messages: string[];
  /**
   * The error code, such as `duplicate_reference`. Use it instead of the texts, which are for people. Null if Tillgate sent
   * none.
   */
  readonly errorCode: string | null;
  /** The invalid field, if there is exactly one. */
  readonly param: string | null;
  /** Messages by invalid field for a validation error; empty otherwise. */
  readonly fieldErrors: FieldErrors;
  /** The response's `X-Request-Id`, for support requests. */
  readonly requestId: string | null;
  /** `Retry-After` in milliseconds, if sent. */
  readonly retryAfterMs: number | null;

  constructor(refusal: ApiRefusal, context: CallContext) {
    super(`${refusal.messages.join(" ")} (HTTP ${refusal.status})`, context);
    this.status = refusal.status;
    this.messages = refusal.messages;
    this.errorCode = refusal.errorCode;
    this.param = refusal.param;
    this.fieldErrors = refusal.fieldErrors;
    this.requestId = refusal.requestId;
    this.retryAfterMs = refusal.retryAfterMs;
  }
}

/** Why there is no response. */
export type ConnectionFailure = "network" | "timeout" | "aborted";

/** No response. The outcome of a write is unknown: retry with the same idempotency key. */
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

  constructor(answer: { status: number; requestId: string | null; text: string }, context: CallContext) {
    super(`${answer.text} (HTTP ${answer.status})`, context);
    this.status = answer.status;
    this.requestId = answer.requestId;
  }
}
