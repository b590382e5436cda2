/**
 * Why migrations stopped.
 * - `unreadable`: a folder or file cannot be read, or a definition file contains an unsupported statement.
 * - `same_number`: two migrations have the same number.
 * - `changed`: a migration on disk differs from the migration that was applied to this database.
 * - `unresolved`: Prisma Migrate recorded a failed attempt that is not resolved.
 * - `failed`: PostgreSQL rejected the SQL; the database is unchanged.
 * - `newer`: the database has a migration unknown to this version.
 * - `busy`: another process held the migration lock for longer than the limit.
 */
export type MigrationErrorReason =
  | "unreadable"
  | "same_number"
  | "changed"
  | "unresolved"
  | "failed"
  | "newer"
  | "busy";

/** Thrown by `migrate`. The message tells an operator what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";

  constructor(
    readonly reason: MigrationErrorReason,
    message: string,
    /** The migration or definition file that caused the error, if any. */
    readonly migration?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
