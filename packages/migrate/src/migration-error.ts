/**
 * Why migrations stopped.
 * - `unreadable`: a folder or file cannot be read, or a file of definitions holds what it may not hold.
 * - `same_number`: two migrations of the folder have one number.
 * - `changed`: a migration on disk differs from what was applied to this database.
 * - `unresolved`: Prisma Migrate recorded a failed attempt that nobody resolved.
 * - `failed`: PostgreSQL refused the SQL; nothing was changed in the database.
 * - `newer`: the database has a migration that this program does not know.
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

/** Thrown by `migrate`; the message is one sentence an operator can act on. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";

  constructor(
    readonly reason: MigrationErrorReason,
    message: string,
    /** Name of the migration or file of definitions at fault; absent when the fault is not one file's. */
    readonly migration?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
