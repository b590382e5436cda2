import type { FieldErrors } from "@tillgate/contract";

/** What every error of this client knows about the call. Neither the secret nor the credentials are ever part of it. */
export type CallContext = {
  /** `POST /orders` */
  operation: string;
  /** How many times the call was sent. */
  attempts: number;
};

/** The common ancestor: `catch (error) { if (error instanceof TillgateError) … }`. */
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

/** Tillgate answered with an error envelope: the call was understood and refused. */
export class TillgateApiError extends TillgateError {
  /** The HTTP status. */
  readonly status: number;
  /** The texts of the envelope, in order. */
  readonly messages: string[];
  /**
   * The refusal's code, such as `duplicate_reference`. Decide by it: texts are for people. Null from a Tillgate that sends
   * none.
   */
  readonly errorCode: string | null;
  /** The one wrong field, where there is one. */
  readonly param: string | null;
  /** The refused fields of a validation error and what is wrong with each; empty otherwise. */
  readonly fieldErrors: FieldErrors;
  /** The `X-Request-Id` of the answer, to be quoted to support. */
  readonly requestId: string | null;
  /** How long the answer asks to wait, in milliseconds, where it asks. */
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

/** Why no answer came. */
export type ConnectionFailure = "network" | "timeout" | "aborted";

/** No answer came. For a call that changes something the outcome is unknown: repeat it with the same idempotency key. */
export class TillgateConnectionError extends TillgateError {
  readonly reason: ConnectionFailure;

  constructor(reason: ConnectionFailure, text: string, context: CallContext, cause?: unknown) {
    super(text, context, cause);
    this.reason = reason;
  }
}

/** Something answered, but not by the contract: a proxy's page, a redirect, a body of another shape. */
export class TillgateResponseError extends TillgateError {
  readonly status: number;
  readonly requestId: string | null;

  constructor(answer: { status: number; requestId: string | null; text: string }, context: CallContext) {
    super(`${answer.text} (HTTP ${answer.status})`, context);
    this.status = answer.status;
    this.requestId = answer.requestId;
  }
}
