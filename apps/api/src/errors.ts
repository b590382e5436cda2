import { ErrorCode, type ErrorDetails, fieldError } from "@tillgate/contract";

/** Details that an error adds to its row in the error table: the contract's, and two for the response's headers. */
export type OperationErrorDetails = ErrorDetails & {
  /** Whole seconds until a retry may succeed. */
  retryAfterSeconds?: number;
  /** The allowed methods, for MethodNotAllowed. */
  allow?: string;
};

/** The only error meant for callers: any module may throw it, and the APIs return it. Never used for a broken invariant. */
export class OperationError extends Error {
  override readonly name = "OperationError";

  constructor(
    readonly errorCode: ErrorCode,
    readonly details: OperationErrorDetails = {},
  ) {
    super(details.message ?? errorCode.code);
  }
}

/** Creates the error for one invalid field. @param rule the text after the field's name. */
export const invalidField = (field: string, rule: string): OperationError =>
  new OperationError(ErrorCode.InvalidFields, { fields: { [field]: [fieldError(field, rule)] } });

/** Creates an administration error with a specific message. */
export const errorWith = (
  errorCode: ErrorCode,
  message: string,
  lines: readonly string[] = [],
): OperationError => new OperationError(errorCode, { message, lines });

export const notFound = (subject: string): OperationError =>
  errorWith(ErrorCode.SubjectNotFound, `No ${subject} found.`);

export const invalidValue = (message: string): OperationError => errorWith(ErrorCode.InvalidValue, message);
