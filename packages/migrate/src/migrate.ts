import { randomUUID } from "node:crypto";
import pg from "pg";
import { runScript, withConnection } from "./connection.js";
import { applyDefinitions, type DefinitionsOptions } from "./definitions.js";
import { MigrationError } from "./migration-error.js";
import { computeChecksum, type MigrationFile, matchesChecksum, readMigrations } from "./migration-files.js";
import { type FilledColumns, grantWorker } from "./worker.js";

/** The advisory lock of Prisma Migrate, so that its CLI never runs concurrently with this package. */
const PRISMA_MIGRATE_LOCK_ID = 72707369;
const LOCK_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

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

type MigrationRow = { migration_name: string; checksum: string; finished_at: Date | null };

export type MigrateOptions = {
  /** Functions, triggers and checks, reapplied when they change. */
  definitions?: DefinitionsOptions;
  /** An existing login role, not the owner, that receives the privileges of {@link grantWorker}. */
  worker?: string;
  /** Columns that the worker must not set, because the database fills them. */
  filled?: FilledColumns;
};

/**
 * Applies every pending `directory/<name>/migration.sql` in the order of the names, then the changed definitions, in one transaction. A
 * script must not contain BEGIN or COMMIT. If several processes call this, one migrates and the others wait.
 * @param connectionString URL of the database, as its owner.
 * @returns the applied migrations, then the applied and removed definition files.
 * @throws MigrationError with the reason; Error if `filled` names a column that does not exist; PostgreSQL's error if the database is
 * unreachable or the worker does not exist.
 */
export async function migrate(
  connectionString: string,
  directory: string,
  options: MigrateOptions = {},
): Promise<string[]> {
  const migrations = readMigrations(directory);
  return await withConnection(
    { connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    async (client) => {
      await takeLock(client);
      await client.query("BEGIN");
      const applied = await applyPending(client, migrations, options);
      await client.query("COMMIT");
      return applied;
    },
  );
}

async function applyPending(
  client: pg.Client,
  migrations: readonly MigrationFile[],
  { definitions, worker, filled = {} }: MigrateOptions,
): Promise<string[]> {
  await client.query(createMigrationsTable);
  const recorded = await readRecords(client);
  rejectNewerDatabase(recorded, migrations);
  const applied: string[] = [];
  const missing = migrations.filter((migration) => isMissing(migration, recorded.get(migration.name)));
  for (const migration of missing) {
    await runScript(client, `Migration ${migration.name}`, migration.sql, migration.name);
    await record(client, migration);
    applied.push(migration.name);
  }
  if (definitions) applied.push(...(await applyDefinitions(client, definitions)));
  if (worker !== undefined) await grantWorker(client, worker, filled);
  return applied;
}

async function takeLock(client: pg.Client): Promise<void> {
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    await client.query("SELECT pg_advisory_lock($1)", [PRISMA_MIGRATE_LOCK_ID]);
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError) || cause.code !== "55P03") throw cause;
    const message = `Another process has been migrating this database for more than ${LOCK_TIMEOUT_MS / 1000} seconds. Try again later.`;
    throw new MigrationError("busy", message, undefined, { cause });
  }
  await client.query("RESET lock_timeout");
}

async function readRecords(client: pg.Client): Promise<Map<string, MigrationRow>> {
  const { rows } = await client.query<MigrationRow>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  return new Map(rows.map((row) => [row.migration_name, row]));
}

/** Rejects a database that a newer version has migrated, because this version could write rows that are invalid in the newer schema. */
function rejectNewerDatabase(
  recorded: ReadonlyMap<string, MigrationRow>,
  migrations: readonly MigrationFile[],
): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...recorded.keys()].sort().find((name) => !known.has(name));
  if (unknown === undefined) return;
  const message =
    `This database was migrated by a newer version: this version does not have the migration ${unknown}. ` +
    "Start that version, or restore a backup from before the migration.";
  throw new MigrationError("newer", message, unknown);
}

function isMissing({ name, sql }: MigrationFile, row: MigrationRow | undefined): boolean {
  if (!row) return true;
  if (!row.finished_at) {
    const message = `Migration ${name} failed before and is not resolved. See "prisma migrate resolve".`;
    throw new MigrationError("unresolved", message, name);
  }
  if (!matchesChecksum(sql, row.checksum)) {
    const message = `Migration ${name} was changed after it was applied. Restore it and write a new migration.`;
    throw new MigrationError("changed", message, name);
  }
  return false;
}

async function record(client: pg.Client, { name, sql }: MigrationFile): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), computeChecksum(sql), name],
  );
}
