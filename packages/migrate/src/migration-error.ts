/**
 * Why migrations stopped.
 * - `unreadable`: the folder or a migration.sql in it cannot be read.
 * - `changed`: a migration on disk differs from what was applied to this database.
 * - `unresolved`: Prisma Migrate recorded a failed attempt that nobody resolved.
 * - `failed`: PostgreSQL refused the SQL; nothing of that migration is left in the database.
 * - `busy`: another process held the migration lock for longer than the limit.
 */
export type MigrationErrorReason = "unreadable" | "changed" | "unresolved" | "failed" | "busy";

/** Thrown by `migrate`; the message is one sentence an operator can act on. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";

  constructor(
    readonly reason: MigrationErrorReason,
    message: string,
    /** Folder name of the migration at fault; absent when the fault is not one migration's. */
    readonly migration?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
