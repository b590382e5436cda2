import pg from "pg";
import { withConnection } from "./connection.js";

/** Serialises callers in one PostgreSQL server; any number not used by another lock of the admin database. */
const ENSURE_DATABASE_LOCK_ID = 846_155_011;
const LOCK_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** PostgreSQL cuts longer names silently, which would make two names one. */
const MAXIMUM_NAME_BYTES = 63;

export type EnsureDatabaseOptions = {
  /** Address of a maintenance database (usually `postgres`) as a role that may create roles and databases. */
  adminUrl: string;
  database: string;
  /** Owner of the database; may log in. */
  role: string;
  /** Set at every call, so a changed setting takes effect at the next start. */
  password: string;
};

export type EnsuredDatabase = {
  /** Address of the database as its owner, on the server of `adminUrl`. */
  url: string;
  roleCreated: boolean;
  databaseCreated: boolean;
};

/** Thrown by `ensureDatabase` for a name that cannot be used or a database of another owner. */
export class DatabaseSetupError extends Error {
  override readonly name = "DatabaseSetupError";
}

/** Makes sure that a login role exists which owns nothing. If it exists, only the password changes. */
export type EnsureWorkerOptions = {
  /** Address of the database as a role that may create roles. */
  adminUrl: string;
  role: string;
  /** Set at every call, so a changed setting takes effect at the next start. */
  password: string;
};

/**
 * Makes sure that a login role exists for a program that works in tables of another role (see `migrate`'s `worker`).
 * Changes nothing but the password when it is there; calls at the same time are safe.
 *
 * @returns the address of `adminUrl` as that role.
 * @throws DatabaseSetupError for an empty or too long name or an empty password.
 */
export async function ensureWorker({ adminUrl, role, password }: EnsureWorkerOptions): Promise<string> {
  checkRole(role, password);
  await underLock(adminUrl, (client) => ensureRole(client, role, password));
  return asRole(adminUrl, role, password);
}

/** The same address as another role. */
export function asRole(address: string, role: string, password: string): string {
  const url = new URL(address);
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  return url.href;
}

/**
 * Makes sure that a login role and a UTF-8 database owned by it exist, and that no other role may connect to it
 * (superusers always may). Changes nothing but the password when all is there; calls at the same time are safe.
 *
 * @throws DatabaseSetupError for an empty or too long name, or a database that another role owns.
 */
export async function ensureDatabase(options: EnsureDatabaseOptions): Promise<EnsuredDatabase> {
  const { adminUrl, database, role, password } = options;
  checkName("database", database);
  checkRole(role, password);
  return underLock(adminUrl, async (client) => {
    const roleCreated = await ensureOwner(client, role, password);
    const databaseCreated = await ensureOwnedDatabase(client, database, role);
    await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${pg.escapeIdentifier(database)} FROM PUBLIC`);
    return { url: ownerUrl(options), roleCreated, databaseCreated };
  });
}

async function underLock<Result>(
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

function checkName(what: string, name: string): void {
  const bytes = Buffer.byteLength(name, "utf8");
  if (bytes === 0 || bytes > MAXIMUM_NAME_BYTES) {
    throw new DatabaseSetupError(`The ${what} name "${name}" must have 1 to ${MAXIMUM_NAME_BYTES} bytes.`);
  }
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<boolean> {
  const name = pg.escapeIdentifier(role);
  const found = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  const created = found.rowCount === 0 && (await createUnlessThere(client, `CREATE ROLE ${name} LOGIN`));
  await client.query(`ALTER ROLE ${name} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
  return created;
}

async function ensureOwner(client: pg.Client, role: string, password: string): Promise<boolean> {
  const created = await ensureRole(client, role, password);
  // Only a superuser may make any role an owner. Others need the role's privileges, also for a role they created
  // themselves.
  const { rows } = await client.query<{ entitled: boolean }>(
    "SELECT pg_has_role(current_user, $1, 'USAGE') AS entitled",
    [role],
  );
  if (!rows[0]?.entitled) await client.query(`GRANT ${pg.escapeIdentifier(role)} TO CURRENT_USER`);
  return created;
}

async function ensureOwnedDatabase(client: pg.Client, database: string, role: string): Promise<boolean> {
  const ownerQuery = "SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1";
  const before = await client.query<{ owner: string }>(ownerQuery, [database]);
  // template0 cannot be connected to, so no other session can make the copy fail.
  const create = `CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER ${pg.escapeIdentifier(role)} ENCODING 'UTF8' TEMPLATE template0`;
  if (before.rowCount === 0 && (await createUnlessThere(client, create))) return true;

  const { rows } = await client.query<{ owner: string }>(ownerQuery, [database]);
  const owner = rows[0]?.owner;
  if (owner !== role) {
    throw new DatabaseSetupError(
      `Database ${database} exists and belongs to role ${owner ?? "nobody"}, not to ${role}; give it to ${role} or choose another name.`,
    );
  }
  return false;
}

/** Runs a CREATE; false when somebody outside our lock created the same thing at this instant. */
async function createUnlessThere(client: pg.Client, statement: string): Promise<boolean> {
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    // duplicate_object, duplicate_database, or unique_violation when both passed PostgreSQL's own check.
    const codes = ["42710", "42P04", "23505"];
    if (error instanceof pg.DatabaseError && codes.includes(error.code ?? "")) return false;
    throw error;
  }
}

function ownerUrl({ adminUrl, database, role, password }: EnsureDatabaseOptions): string {
  const url = new URL(asRole(adminUrl, role, password));
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}
