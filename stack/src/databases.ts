import { existsSync } from "node:fs";
import path from "node:path";
import {
  type EmbeddedServer,
  EmbeddedServerError,
  startEmbeddedServer,
  stopLeftoverServer,
} from "@tillgate/database/embedded";
import { migrateDatabase } from "@tillgate/database/schema";
import {
  asRole,
  DatabaseSetupError,
  ensureDatabase,
  ensureWorker,
  MigrationError,
  withConnection,
} from "@tillgate/migrate";
import { oneRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Secrets } from "./secrets.js";
import type { Settings } from "./settings.js";
import { StackError } from "./stack-error.js";

/** The api's database, as the roles that there are. */
export type ApiDatabaseUrls = {
  /** As the role that works in the tables and owns none of them. */
  api: string;
  /** The api's database as the role that owns the tables: for migrating, and given to no service. */
  apiOwner: string;
  /** The role in `api`. */
  apiRole: string;
  /** The api's database without a pooler in between, when that is another address. */
  apiDirect?: string;
};

/** Each service's own database, as its own role. */
export type DatabaseUrls = ApiDatabaseUrls & { store: string; connector: string };

/** The addresses of the api's database that a person gives. */
type GivenApi = Pick<Settings["databaseUrls"], "apiDirect" | "apiOwner"> & { api: string };

const CONNECT_LIMIT_MS = 10_000;
/** The role that the api works as, where it is made here: two installations on one server do not take each other's. */
const workerOf = (databaseUrl: string): string =>
  `${decodeURIComponent(new URL(databaseUrl).pathname.slice(1))}_api`;

/** Where the embedded PostgreSQL keeps its data. */
export function embeddedDataDirectory(dataDirectory: string): string {
  return path.join(dataDirectory, "postgres");
}

/**
 * Refuses to go on when the secrets are lost and the data is not: new secrets could not read what the old ones
 * encrypted. Must be asked before the secrets are made.
 */
export function rejectLostSecrets(dataDirectory: string): void {
  const secretsFile = path.join(dataDirectory, "secrets.json");
  if (existsSync(secretsFile) || !existsSync(embeddedDataDirectory(dataDirectory))) return;
  throw new StackError(
    `${dataDirectory} holds a database but its secrets.json is gone, and without it stored secrets cannot be read. ` +
      "Put the file back, or move the whole folder away to start over.",
  );
}

/** Ends a PostgreSQL that a killed stack left behind. Only for the holder of the data directory's lock. */
export async function stopLeftoverDatabase(dataDirectory: string): Promise<void> {
  await withStackErrors(() => stopLeftoverServer(embeddedDataDirectory(dataDirectory)));
}

/** @throws StackError when the embedded PostgreSQL cannot start. */
export async function startDatabase(options: {
  dataDirectory: string;
  port: number;
  fsync: boolean;
  backupFolder?: string | undefined;
  continues?: boolean;
}): Promise<EmbeddedServer> {
  const { dataDirectory, ...more } = options;
  return withStackErrors(() =>
    startEmbeddedServer({ dataDirectory: embeddedDataDirectory(dataDirectory), ...more }),
  );
}

/** Makes the three databases, each owned by the role of the same name, and the role that the api works as. */
export async function ensureOwnDatabases(adminUrl: string, secrets: Secrets): Promise<DatabaseUrls> {
  const own = await ensureOwnApiDatabase(adminUrl, secrets);
  return { ...own, ...(await ensureSideDatabases(adminUrl, secrets)) };
}

/** Makes the api's database, and the role that the api works as. */
export async function ensureOwnApiDatabase(adminUrl: string, secrets: Secrets): Promise<ApiDatabaseUrls> {
  const apiOwner = await ensureOwn(adminUrl, "tillgate", secrets.database_password);
  const { api_database_password: password } = secrets;
  const apiRole = workerOf(apiOwner);
  await withStackErrors(() => ensureWorker({ adminUrl, role: apiRole, password }));
  return { api: asRole(apiOwner, apiRole, password), apiOwner, apiRole };
}

/**
 * Finds the three databases on a PostgreSQL of the user's own. DATABASE_URL is the api's; the other two are
 * used as given, or made beside it when its role may do that. With DATABASE_OWNER_URL the api works as the role in
 * DATABASE_URL; without it that role owns the tables, and the one that the api works as is made.
 * @throws StackError naming the settings that are missing.
 */
export async function findGivenDatabases(
  given: Settings["databaseUrls"] & { api: string },
  secrets: Secrets,
): Promise<DatabaseUrls> {
  const { store, connector } = given;
  const { own, owner } = await findGivenApiDatabase(given, secrets);
  if (store !== undefined && connector !== undefined) return { ...own, store, connector };
  if (!owner.mayCreate) {
    throw new StackError(
      `The role in ${owner.name} may not create roles and databases: ` +
        "set STORE_DATABASE_URL and CONNECTOR_DATABASE_URL to two more databases, or give it CREATEDB and CREATEROLE.",
    );
  }
  const made = await ensureSideDatabases(owner.url, secrets);
  return { ...own, store: store ?? made.store, connector: connector ?? made.connector };
}

type Owner = { name: string; url: string; role: string; mayCreate: boolean };

/** Finds the api's database on a PostgreSQL of the user's own, with its two roles. @throws StackError as {@link findGivenDatabases}. */
export async function findGivenApiDatabase(
  given: GivenApi,
  secrets: Pick<Secrets, "api_database_password">,
): Promise<{ own: ApiDatabaseUrls; owner: Owner }> {
  // The direct address when there is one: a lock or a migration does not go through a pooler.
  const owner =
    given.apiOwner === undefined
      ? { name: "DATABASE_URL", url: given.apiDirect ?? given.api }
      : { name: "DATABASE_OWNER_URL", url: given.apiOwner };
  const known = { ...owner, ...(await readRole(owner.name, owner.url)) };
  return { own: await findApiRoles(given, known, secrets), owner: known };
}

async function findApiRoles(
  { api, apiDirect, apiOwner }: GivenApi,
  owner: Owner,
  { api_database_password: password }: Pick<Secrets, "api_database_password">,
): Promise<ApiDatabaseUrls> {
  const direct = apiDirect === undefined ? {} : { apiDirect };
  if (apiOwner !== undefined) {
    const { role } = await readRole("DATABASE_URL", api);
    if (role !== owner.role) return { api, ...direct, apiOwner, apiRole: role };
    throw new StackError(
      `DATABASE_URL and DATABASE_OWNER_URL name the same role, ${role}: the api works as a role that owns no tables.`,
    );
  }
  if (!owner.mayCreate) {
    throw new StackError(
      "The role in DATABASE_URL may not create the role that the api works as: " +
        "set DATABASE_OWNER_URL to the owner of the database and DATABASE_URL to another login role, or give it CREATEDB and CREATEROLE.",
    );
  }
  const apiRole = workerOf(owner.url);
  await withStackErrors(() => ensureWorker({ adminUrl: owner.url, role: apiRole, password }));
  const asWorker = (url: string) => asRole(url, apiRole, password);
  return {
    api: asWorker(api),
    ...(apiDirect === undefined ? {} : { apiDirect: asWorker(apiDirect) }),
    apiOwner: owner.url,
    apiRole,
  };
}

async function ensureSideDatabases(
  adminUrl: string,
  secrets: Secrets,
): Promise<Pick<DatabaseUrls, "store" | "connector">> {
  return {
    store: await ensureOwn(adminUrl, "tillgate_store", secrets.store_database_password),
    connector: await ensureOwn(adminUrl, "tillgate_connector", secrets.connector_database_password),
  };
}

async function ensureOwn(adminUrl: string, name: string, password: string): Promise<string> {
  const { url } = await withStackErrors(() =>
    ensureDatabase({ adminUrl, database: name, role: name, password }),
  );
  return url;
}

/** Brings the api's database up to date; the store and the connector migrate their own. */
export async function migrateApiDatabase({ apiOwner, apiRole }: ApiDatabaseUrls): Promise<void> {
  await withStackErrors(() => migrateDatabase(apiOwner, apiRole));
}

const roleSchema = z.object({ role: z.string(), mayCreate: z.boolean() });

/** @param name the setting that the address comes from, for the error. */
async function readRole(name: string, databaseUrl: string): Promise<z.output<typeof roleSchema>> {
  try {
    return await withConnection(
      { connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_LIMIT_MS },
      (client) =>
        oneRowOf(
          client,
          roleSchema,
          `SELECT rolname AS role, rolsuper OR (rolcreatedb AND rolcreaterole) AS "mayCreate" FROM pg_roles WHERE rolname = current_user`,
        ),
    );
  } catch (cause) {
    const { host, pathname } = new URL(databaseUrl);
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
    throw new StackError(`${name} (${host}${pathname}) cannot be used: ${reason}`, { cause });
  }
}

/** Errors that are written for people lose their stack trace; all others keep it. */
/** Words for a person in place of what the database's own rooms throw. @throws StackError. */
export async function withStackErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isPlain =
      error instanceof EmbeddedServerError ||
      error instanceof DatabaseSetupError ||
      error instanceof MigrationError;
    throw isPlain ? new StackError(error.message, { cause: error }) : error;
  }
}
