import { ledgerErrorResponse } from "@tillgate/database";
import { invalidField, OperationError } from "../errors.js";

/** The order is no longer PENDING. */
export class OrderSettledError extends Error {}
/** The order is past its expiry, but not yet marked EXPIRED. */
export class OrderOverdueError extends Error {}
/** The database rejected the group's items with these IDs. */
export class GroupRejectedError extends Error {
  constructor(readonly ids: ReadonlySet<string>) {
    super(`a group was rejected because of ${ids.size} of its items`);
  }
}
export class WalletClosedError extends Error {}

const getConstraint = (error: unknown): string | undefined =>
  error instanceof Error && "constraint" in error && typeof error.constraint === "string"
    ? error.constraint
    : undefined;

const getDetail = (error: unknown): string =>
  error instanceof Error && "detail" in error && typeof error.detail === "string" ? error.detail : "";

/** Returns an error's `code`, which is the SQLSTATE of a database error; undefined without a code. */
export const getCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Translates errors that callers handle or report; returns other errors unchanged. */
export function toOperationError(error: unknown): unknown {
  const response = ledgerErrorResponse(getConstraint(error), getCode(error));
  if (response === undefined || response === "fault") return error;
  if (response === "order settled") return new OrderSettledError();
  if (response === "order overdue") return new OrderOverdueError();
  if (response === "wallet closed") return new WalletClosedError();
  if (response === "rejected items") return new GroupRejectedError(new Set(getDetail(error).split("\n")));
  return "rule" in response ? invalidField(response.field, response.rule) : new OperationError(response);
}

/** Returns whether the error is a deadlock or a serialization failure, after which the same call may succeed. */
export const isTransient = (error: unknown): boolean => ["40P01", "40001"].includes(getCode(error) ?? "");

/** Returns the violated unique constraint and the duplicate value; undefined for any other error. */
export function findDuplicate(error: unknown): { constraint: string; value: string } | undefined {
  const constraint = getConstraint(error);
  const detail = error instanceof Error && "detail" in error ? String(error.detail) : "";
  // `Key (id)=(POS-20261121-7KQ2MX) already exists.`, in the server's language.
  const value = /\)=\(([^)]+)\)/.exec(detail)?.[1];
  return getCode(error) === "23505" && constraint && value ? { constraint, value } : undefined;
}
