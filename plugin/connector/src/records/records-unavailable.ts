import { isUnavailable } from "@tillgate/service/unavailable";

/** The database is unreachable, busy, full or restarting. A retry may succeed. */
export class RecordsUnavailable extends Error {
  override readonly name = "RecordsUnavailable";
}

/** Whether the operation failed because another process is writing to the SQLite file. */
export const isBusy = (error: unknown): boolean => getCode(error).startsWith("SQLITE_BUSY");

/** Wraps an error in RecordsUnavailable if the database is unavailable; returns other errors unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || !isUnavailable(error)) return error;
  return new RecordsUnavailable(`The database is unavailable: ${error.message || getCode(error)}`, {
    cause: error,
  });
}

const getCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
