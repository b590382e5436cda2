import type { Meaning } from "@tillgate/database";
import { OperationError, wrongField } from "../operation-error.js";

/** The order has left PENDING. */
export class OrderSettledError extends Error {}
/** The order's time is over, but it is not expired yet. */
export class OrderOverdueError extends Error {}
/** The wallet to debit or credit is closed. */
export class WalletClosedError extends Error {}

const constraintOf = (error: unknown): string | undefined =>
  error instanceof Error && "constraint" in error && typeof error.constraint === "string"
    ? error.constraint
    : undefined;

/** The SQLSTATE of a database error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Translates a database error into the error for the caller of the SQL function; other errors pass unchanged. */
export function asRefusal(
  error: unknown,
  { refuses }: { refuses: Readonly<Record<string, Meaning>> },
): unknown {
  const meaning = refuses[constraintOf(error) ?? ""] ?? refuses[codeOf(error) ?? ""];
  if (meaning === undefined) return error;
  if (meaning === "order settled") return new OrderSettledError();
  if (meaning === "order overdue") return new OrderOverdueError();
  if (meaning === "wallet closed") return new WalletClosedError();
  return "rule" in meaning ? wrongField(meaning.field, meaning.rule) : new OperationError(meaning);
}

/** Whether the same call may succeed when it is made again: a deadlock or a serialization failure. */
export const isTransient = (error: unknown): boolean => ["40P01", "40001"].includes(codeOf(error) ?? "");

const RANDOM_IDS = [
  "orders_pkey",
  "orders_token_key",
  "orders_trx_id_key",
  "refunds_pkey",
  "payouts_pkey",
  "payouts_trx_id_key",
];

/** Whether a random id was taken already. */
export const isCollision = (error: unknown): boolean =>
  codeOf(error) === "23505" && RANDOM_IDS.includes(constraintOf(error) ?? "");
