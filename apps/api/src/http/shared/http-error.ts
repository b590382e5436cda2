import type { FieldErrors } from "@tillgate/contract";

/** A request that HTTP itself refuses, before any operation. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** A body or query that does not fit the contract. */
export class InvalidRequestError extends Error {
  constructor(readonly fields: FieldErrors) {
    super("invalid request");
  }
}
