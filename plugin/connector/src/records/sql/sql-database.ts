export type SqlValue = string | number | bigint | null;

export interface Statement {
  sql: string;
  /** For `$1`, `$2` … */
  values: SqlValue[];
}

/**
 * A database as the records see it: the same SQL runs on PostgreSQL and SQLite, and what they write differently is here.
 * Rows come as the driver gives them; who asked parses them.
 */
export interface SqlDatabase {
  query(sql: string, values?: SqlValue[]): Promise<unknown[]>;
  /** All of them or none. @returns the rows of the last */
  transaction(statements: Statement[]): Promise<unknown[]>;
  /** The value of a column that says false. */
  no: string;
  /** The database's time. */
  now: string;
  /** A span of time, from a parameter in milliseconds. */
  span(parameter: string): string;
  /** A point in time, from a parameter in milliseconds since 1970. */
  time(parameter: string): string;
  /** Milliseconds of the difference of two times. */
  milliseconds(difference: string): string;
  greater(one: string, other: string): string;
  lesser(one: string, other: string): string;
  /** After a SELECT of rows to be changed: passes over those that another process is changing. */
  skipLocked: string;
  /** `IN (…)` of a parameter that holds a JSON array. */
  among(parameter: string, type: "bigint" | "text"): string;
}
