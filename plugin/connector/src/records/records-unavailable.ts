/** The records cannot be asked now: their database is away, busy, full or being restarted. Trying again helps. */
export class RecordsUnavailable extends Error {
  override readonly name = "RecordsUnavailable";
}

/** PostgreSQL: connection (08), resources (53), operator (57: shutdown, restart, statement timeout), closed to connections. */
const AWAY_STATE = /^(08|53|57)|^55000$/;
const AWAY_CODE = /^(E[A-Z]{4,}|SQLITE_(BUSY|FULL|IOERR|CANTOPEN).*)$/;
/** The pool's own words, which carry no code. */
const AWAY_TEXT =
  /timeout exceeded when trying to connect|connection terminated|client has encountered a connection error/i;

/** Whether another process writes to the SQLite file. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith("SQLITE_BUSY");

/** Gives an error of the database its name where it says that the database cannot be asked; any other stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  const isAway =
    (code.length === 5 && AWAY_STATE.test(code)) || AWAY_CODE.test(code) || AWAY_TEXT.test(error.message);
  if (!isAway) return error;
  const reason = error.message === "" ? code : error.message;
  return new RecordsUnavailable(`The records cannot be asked: ${reason}`, { cause: error });
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
