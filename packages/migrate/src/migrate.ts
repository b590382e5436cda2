import { randomUUID } from "node:crypto";
import pg from "pg";
import { MigrationError } from "./migration-error.js";
import { checksumOf, type MigrationFile, matchesChecksum, readMigrations } from "./migration-files.js";

/** The advisory lock that Prisma Migrate takes, so that its command line and this never run at once. */
const prismaMigrateLockId = 72707369;
/** How long to wait for another process that is migrating the same database. */
const lockTimeoutMs = 60_000;
const connectTimeoutMs = 10_000;

/** Prisma Migrate's own table, column for column. */
const createMigrationsTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

interface MigrationRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/**
 * Brings a database up to date: applies every `directory/<name>/migration.sql` that it does not have yet, in
 * the order of the names. The records are Prisma Migrate's, so `prisma migrate status` and `deploy` agree.
 * Several processes may call this at once: one migrates, the others wait and find nothing to do.
 *
 * A migration and its record are one transaction, so a failure or a crash leaves nothing behind and the next
 * call tries again; a script may therefore not contain its own BEGIN or COMMIT.
 *
 * @param connectionString PostgreSQL address of the database, as its owner.
 * @param directory folder of the migrations.
 * @returns the names applied by this call, in order; empty when the database was up to date.
 * @throws MigrationError for anything wrong with a migration; PostgreSQL's own error when it cannot be reached.
 */
export async function migrate(connectionString: string, directory: string): Promise<string[]> {
  const migrations = readMigrations(directory);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
  // A connection that breaks between two queries is reported by the next query; without a listener Node exits.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await takeLock(client);
    await client.query(createMigrationsTable);
    const { rows } = await client.query<MigrationRow>(
      "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
    );
    const recorded = new Map(rows.map((row) => [row.migration_name, row]));
    const missing = migrations.filter((migration) => isMissing(migration, recorded.get(migration.name)));
    for (const migration of missing) await apply(client, migration);
    return missing.map((migration) => migration.name);
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}

async function takeLock(client: pg.Client): Promise<void> {
  await client.query(`SET lock_timeout = ${lockTimeoutMs}`);
  try {
    await client.query("SELECT pg_advisory_lock($1)", [prismaMigrateLockId]);
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError) || cause.code !== "55P03") throw cause;
    const message = `Another process has been migrating this database for more than ${lockTimeoutMs / 1000} seconds.`;
    throw new MigrationError("busy", message, undefined, { cause });
  }
  await client.query("RESET lock_timeout");
}

function isMissing({ name, sql }: MigrationFile, row: MigrationRow | undefined): boolean {
  if (!row) return true;
  if (!row.finished_at) {
    const message = `Migration ${name} failed before and is not resolved; see "prisma migrate resolve".`;
    throw new MigrationError("unresolved", message, name);
  }
  if (!matchesChecksum(sql, row.checksum)) {
    const message = `Migration ${name} was changed after it was applied; restore it and write a new migration.`;
    throw new MigrationError("changed", message, name);
  }
  return false;
}

async function apply(client: pg.Client, { name, sql }: MigrationFile): Promise<void> {
  const id = randomUUID();
  try {
    await client.query("BEGIN");
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())",
      [id, checksumOf(sql), name],
    );
    // Without parameters this is the simple protocol, which takes several statements.
    await client.query(sql);
    await client.query(
      "UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1",
      [id],
    );
    await client.query("COMMIT");
  } catch (cause) {
    // When the connection itself broke, PostgreSQL rolls back and the first error is the one to report.
    await client.query("ROLLBACK").catch(() => undefined);
    const message = `Migration ${name} failed: ${explain(cause, sql)} Nothing of it was kept.`;
    throw new MigrationError("failed", message, name, { cause });
  }
}

/** PostgreSQL's message, with the line of the script where it points at one. */
function explain(error: unknown, sql: string): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message.replace(/\.?$/, ".");
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN;
  if (!Number.isInteger(position)) return text;
  // PostgreSQL counts characters, not UTF-16 units.
  const line = [...sql].slice(0, position - 1).filter((character) => character === "\n").length + 1;
  return `line ${line}: ${text}`;
}
