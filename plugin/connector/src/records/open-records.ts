import { openPostgres } from "./postgres/open-postgres.js";
import type { OpenRecords } from "./records.js";

export type OpenRecordsOptions = {
  /** `postgres(ql)://…`, the connector's own database as its owner, or `file:/absolute/path`, a SQLite file. */
  url: string;
  /** Told when an idle connection breaks; the next query opens another. */
  onConnectionError: (error: Error) => void;
};

/** Whether records can be kept there: nothing that forgets when the process ends. */
export const isRecordsUrl = (url: string): boolean =>
  /^postgres(ql)?:\/\//.test(url) ||
  (url.startsWith("file:/") && !url.endsWith("/") && !/[?#%\r\n]|:memory:/.test(url));

/**
 * Brings the connector's database up to date and opens it.
 *
 * @throws RangeError for an address of another kind; the database's own error where it cannot be opened
 */
export async function openRecords({ url, onConnectionError }: OpenRecordsOptions): Promise<OpenRecords> {
  if (!isRecordsUrl(url)) throw new RangeError("Records are kept in PostgreSQL or in a SQLite file.");
  if (!url.startsWith("file:")) return openPostgres(url, onConnectionError);
  // Only here, because its library brings a binary of its own that not every machine has.
  const { openSqlite } = await import("./sqlite/open-sqlite.js");
  return openSqlite(url);
}
