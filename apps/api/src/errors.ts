import { ErrorCode, type FieldErrors, fieldError, type Mode } from "@tillgate/contract";

/** What an answer says in addition to the refusal's row. */
export type OperationErrorDetails = {
  /** Sentences by field, for InvalidFields. */
  fields?: FieldErrors;
  /** Whole seconds until it may succeed. */
  retryAfterSeconds?: number;
  /** The mode that the credential is for, where the text names it. */
  mode?: Mode;
  /** What the wallet lacks, formatted, for InsufficientBalance on the page. */
  missing?: string;
  /** The currency code that the text names. */
  currency?: string | undefined;
  /** The methods that the path is served with, for MethodNotAllowed. */
  allow?: string;
  /** The administrator's text instead of the refusal's: it has details that the text cannot have. */
  sentence?: string;
  /** One sentence per line of a file, for an import. */
  lines?: readonly string[];
};

/** The one error that a caller can understand: every room throws it, the edges answer it. Never a broken invariant. */
export class OperationError extends Error {
  override readonly name = "OperationError";

  constructor(
    readonly errorCode: ErrorCode,
    readonly details: OperationErrorDetails = {},
  ) {
    super(details.sentence ?? errorCode.code);
  }
}

/**
 * One field cannot be used.
 * @param rule the sentence behind the field's name.
 */
export const wrongField = (field: string, rule: string): OperationError =>
  new OperationError(ErrorCode.InvalidFields, { fields: { [field]: [fieldError(field, rule)] } });

/** A refusal of administration, with a specific sentence. */
export const errorWith = (
  refusal: ErrorCode,
  sentence: string,
  lines: readonly string[] = [],
): OperationError => new OperationError(refusal, { sentence, lines });

export const notFound = (what: string): OperationError =>
  errorWith(ErrorCode.SubjectNotFound, `There is no ${what}.`);

export const invalidValue = (sentence: string): OperationError => errorWith(ErrorCode.InvalidValue, sentence);
