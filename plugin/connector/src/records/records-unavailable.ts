import { isUnavailable } from "@tillgate/service/unavailable";

/** The records cannot be asked now: their database is away, busy, full or being restarted. Trying again helps. */
export class RecordsUnavailable extends Error {
  override readonly name = "RecordsUnavailable";
}

/** Whether another process writes to the SQLite file. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith("SQLITE_BUSY");

/** Gives an error of the database its name where it says that the database cannot be asked; any other stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || !isUnavailable(error)) return error;
  return new RecordsUnavailable(`The records cannot be asked: ${error.message || codeOf(error)}`, {
    cause: error,
  });
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
