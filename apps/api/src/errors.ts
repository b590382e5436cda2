import { ErrorCode, type ErrorDetails, fieldError } from "@tillgate/contract";

/** The contract's details, and two that become response headers. */
export type OperationErrorDetails = ErrorDetails & {
  /** Whole seconds until a retry may succeed. */
  retryAfterSeconds?: number;
  /** The allowed methods, for MethodNotAllowed. */
  allow?: string;
};

/** An expected error, reported to the caller with its code and details. A violated invariant is a plain Error. */
export class OperationError extends Error {
  override readonly name = "OperationError";

  constructor(
    readonly errorCode: ErrorCode,
    readonly details: OperationErrorDetails = {},
  ) {
    super(details.message ?? errorCode.code);
  }
}

/** Returns InvalidFields for one field. @param rule the text after the field's name. */
export const invalidField = (field: string, rule: string): OperationError =>
  new OperationError(ErrorCode.InvalidFields, { fields: { [field]: [fieldError(field, rule)] } });

export const errorWith = (
  errorCode: ErrorCode,
  message: string,
  lines: readonly string[] = [],
): OperationError => new OperationError(errorCode, { message, lines });

/** Returns SubjectNotFound. @param subject what was searched for, such as `merchant X`. */
export const notFound = (subject: string): OperationError =>
  errorWith(ErrorCode.SubjectNotFound, `No ${subject} found.`);

/** Returns InvalidValue. @param message one or more sentences. */
export const invalidValue = (message: string): OperationError => errorWith(ErrorCode.InvalidValue, message);
