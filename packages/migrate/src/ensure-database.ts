import pg from "pg";
import { withConnection } from "./connection.js";

/** No other lock in the admin database may use this number. */
const ENSURE_DATABASE_LOCK_ID = 846_155_011;
const LOCK_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** PostgreSQL silently truncates longer names, so two names could collide. */
const MAXIMUM_NAME_BYTES = 63;

export type EnsureDatabaseOptions = {
  /** URL of a maintenance database (usually `postgres`), with a role that can create roles and databases. */
  adminUrl: string;
  database: string;
  /** Owner of the database. */
  role: string;
  /** Set on every call, so a changed setting takes effect at the next start. */
  password: string;
};

export type EnsuredDatabase = {
  url: string;
  roleCreated: boolean;
  databaseCreated: boolean;
};

export class DatabaseSetupError extends Error {
  override readonly name = "DatabaseSetupError";
}

export type EnsureWorkerOptions = {
  /** URL of the database, with a role that can create roles. */
  adminUrl: string;
  role: string;
  /** Set on every call. */
  password: string;
};

/**
 * Creates the login role of a process that uses another role's tables (see `migrate`'s `worker`), unless it exists. Safe to call concurrently.
 * @returns `adminUrl` with that role.
 * @throws DatabaseSetupError for a name that is empty or too long, or an empty password.
 */
export async function ensureWorker({ adminUrl, role, password }: EnsureWorkerOptions): Promise<string> {
  checkRole(role, password);
  await withLock(adminUrl, (client) => ensureRole(client, role, password));
  return asRole(adminUrl, role, password);
}

export function asRole(address: string, role: string, password: string): string {
  const url = new URL(address);
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  return url.href;
}

/**
 * Creates a login role and its UTF-8 database, unless they exist. Only the role, superusers and roles with an explicit grant may connect. Safe to
 * call concurrently.
 * @throws DatabaseSetupError for a name that is empty or too long, an empty password, or a database owned by another role; PostgreSQL's error if
 * the server is unreachable, or another caller holds the lock for a minute.
 */
export async function ensureDatabase(options: EnsureDatabaseOptions): Promise<EnsuredDatabase> {
  const { adminUrl, database, role, password } = options;
  checkName("database", database);
  checkRole(role, password);
  return withLock(adminUrl, async (client) => {
    const roleCreated = await ensureOwner(client, role, password);
    const databaseCreated = await ensureOwnedDatabase(client, database, role);
    await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${pg.escapeIdentifier(database)} FROM PUBLIC`);
    return { url: getOwnerUrl(options), roleCreated, databaseCreated };
  });
}

async function withLock<Result>(
  adminUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return await withConnection(
    { connectionString: adminUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    async (client) => {
      await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query("SELECT pg_advisory_lock($1)", [ENSURE_DATABASE_LOCK_ID]);
      return await work(client);
    },
  );
}

function checkRole(role: string, password: string): void {
  checkName("role", role);
  if (password === "") throw new DatabaseSetupError(`The password of role ${role} is empty.`);
}

function checkName(kind: string, name: string): void {
  const bytes = Buffer.byteLength(name, "utf8");
  if (bytes === 0 || bytes > MAXIMUM_NAME_BYTES) {
    throw new DatabaseSetupError(`The ${kind} name "${name}" must have 1 to ${MAXIMUM_NAME_BYTES} bytes.`);
  }
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<boolean> {
  const name = pg.escapeIdentifier(role);
  const existing = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  const created = existing.rowCount === 0 && (await createUnlessThere(client, `CREATE ROLE ${name} LOGIN`));
  await client.query(`ALTER ROLE ${name} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
  return created;
}

async function ensureOwner(client: pg.Client, role: string, password: string): Promise<boolean> {
  const created = await ensureRole(client, role, password);
  // Only a superuser may make any role an owner. Others need the role's privileges, even for a role they created themselves.
  const { rows } = await client.query<{ entitled: boolean }>(
    "SELECT pg_has_role(current_user, $1, 'USAGE') AS entitled",
    [role],
  );
  if (!rows[0]?.entitled) await client.query(`GRANT ${pg.escapeIdentifier(role)} TO CURRENT_USER`);
  return created;
}

async function ensureOwnedDatabase(client: pg.Client, database: string, role: string): Promise<boolean> {
  const ownerQuery = "SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1";
  const existing = await client.query<{ owner: string }>(ownerQuery, [database]);
  // template0 does not allow connections, so no other session can make the copy fail.
  const create = `CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER ${pg.escapeIdentifier(role)} ENCODING 'UTF8' TEMPLATE template0`;
  if (existing.rowCount === 0 && (await createUnlessThere(client, create))) return true;

  const { rows } = await client.query<{ owner: string }>(ownerQuery, [database]);
  const owner = rows[0]?.owner;
  if (owner !== role) {
    throw new DatabaseSetupError(
      `Database ${database} exists and belongs to role ${owner ?? "(unknown)"}, not to ${role}; make ${role} its owner or choose another name.`,
    );
  }
  return false;
}

/** Runs a CREATE; returns false if a session outside the lock created the same object concurrently. */
async function createUnlessThere(client: pg.Client, statement: string): Promise<boolean> {
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    // duplicate_object, duplicate_database, or unique_violation if both sessions passed PostgreSQL's own check.
    const codes = ["42710", "42P04", "23505"];
    if (error instanceof pg.DatabaseError && codes.includes(error.code ?? "")) return false;
    throw error;
  }
}

function getOwnerUrl({ adminUrl, database, role, password }: EnsureDatabaseOptions): string {
  const url = new URL(asRole(adminUrl, role, password));
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}
