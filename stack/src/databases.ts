import { existsSync } from "node:fs";
import path from "node:path";
import { describeUnreadableSecrets, parseKeyring } from "@tillgate/database";
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
import { queryOneRow } from "@tillgate/service";
import { z } from "zod";
import type { Secrets } from "./secrets.js";
import type { Settings } from "./settings.js";
import { StackError } from "./stack-error.js";

export type ApiDatabaseUrls = {
  /** Connects as the API's own role, which owns no tables. */
  api: string;
  /** Connects as the role that owns the tables. Only migrations use it; no service gets it. */
  apiOwner: string;
  apiRole: string;
  /** Bypasses the connection pooler, if there is one. */
  apiDirect?: string;
};

export type DatabaseUrls = ApiDatabaseUrls & { store: string; connector: string };

type ExternalApi = Pick<Settings["databaseUrls"], "apiDirect" | "apiOwner"> & { api: string };

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Returns the name of the role created for the API. It is derived from the database name, so that installations that share a server use different
 * roles.
 */
const apiRoleFor = (databaseUrl: string): string =>
  `${decodeURIComponent(new URL(databaseUrl).pathname.slice(1))}_api`;

export function getEmbeddedDataDirectory(dataDirectory: string): string {
  return path.join(dataDirectory, "postgres");
}

/**
 * Rejects a data directory with an embedded database but no `secrets.json`, because newly created secrets could not decrypt the stored data. Must be
 * called before {@link loadSecrets}, which would create new secrets.
 * @throws StackError if the file is missing.
 */
export function rejectLostSecrets(dataDirectory: string): void {
  const secretsFile = path.join(dataDirectory, "secrets.json");
  if (existsSync(secretsFile) || !existsSync(getEmbeddedDataDirectory(dataDirectory))) return;
  throw new StackError(
    `${dataDirectory} contains a database but no secrets.json, without which stored secrets cannot be decrypted. ` +
      "Restore the file, or move the whole folder away to start over.",
  );
}

/** Stops a PostgreSQL server that a killed stack left running. The caller must hold the data directory's lock. */
export async function stopLeftoverDatabase(dataDirectory: string): Promise<void> {
  await withStackErrors(() => stopLeftoverServer(getEmbeddedDataDirectory(dataDirectory)));
}

/** @throws StackError if the server cannot start. */
export async function startDatabase(options: {
  dataDirectory: string;
  port: number;
  fsync: boolean;
  backupFolder?: string | undefined;
  continues?: boolean;
  signal?: AbortSignal;
}): Promise<EmbeddedServer> {
  const { dataDirectory, ...rest } = options;
  return withStackErrors(() =>
    startEmbeddedServer({ dataDirectory: getEmbeddedDataDirectory(dataDirectory), ...rest }),
  );
}

/** Creates the three databases, each owned by the role of the same name, and the API's role, unless they exist. */
export async function ensureEmbeddedDatabases(adminUrl: string, secrets: Secrets): Promise<DatabaseUrls> {
  const own = await ensureEmbeddedApiDatabase(adminUrl, secrets);
  return { ...own, ...(await ensureStoreAndConnectorDatabases(adminUrl, secrets)) };
}

export async function ensureEmbeddedApiDatabase(
  adminUrl: string,
  secrets: Secrets,
): Promise<ApiDatabaseUrls> {
  const apiOwner = await ensureDatabaseWithRole(adminUrl, "tillgate", secrets.database_password);
  const { api_database_password: password } = secrets;
  const apiRole = apiRoleFor(apiOwner);
  await withStackErrors(() => ensureWorker({ adminUrl, role: apiRole, password }));
  return { api: asRole(apiOwner, apiRole, password), apiOwner, apiRole };
}

/**
 * Resolves the databases of the API (DATABASE_URL), the store and the connector. If the URL of the store or the connector is missing, its database is
 * created on the server of the API's database. With DATABASE_OWNER_URL, the API connects as the role in DATABASE_URL. Without it, the role in
 * DATABASE_URL owns the tables, and a role for the API is created.
 * @throws StackError if a URL cannot be used, DATABASE_URL and DATABASE_OWNER_URL name the same role, or the owner's role cannot create a missing
 * role or database.
 */
export async function resolveExternalDatabases(
  external: Settings["databaseUrls"] & { api: string },
  secrets: Secrets,
): Promise<DatabaseUrls> {
  const { store, connector } = external;
  const { own, owner } = await resolveExternalApiDatabase(external, secrets);
  if (store !== undefined && connector !== undefined) return { ...own, store, connector };
  if (!owner.canCreate) {
    throw new StackError(
      `The role in ${owner.name} cannot create roles and databases. ` +
        "Either grant that role CREATEDB and CREATEROLE, or set STORE_DATABASE_URL and CONNECTOR_DATABASE_URL to the URLs of two other databases.",
    );
  }
  const created = await ensureStoreAndConnectorDatabases(owner.url, secrets);
  return { ...own, store: store ?? created.store, connector: connector ?? created.connector };
}

type Owner = { name: string; url: string; role: string; canCreate: boolean };

/**
 * Resolves the API's database and its two roles.
 * @throws StackError if a URL cannot be used, both URLs name the same role, or the role in DATABASE_URL cannot create the API's role.
 */
export async function resolveExternalApiDatabase(
  external: ExternalApi,
  secrets: Pick<Secrets, "api_database_password">,
): Promise<{ own: ApiDatabaseUrls; owner: Owner }> {
  // Prefers the direct address: session locks and migrations do not work through a transaction pooler.
  const owner =
    external.apiOwner === undefined
      ? { name: "DATABASE_URL", url: external.apiDirect ?? external.api }
      : { name: "DATABASE_OWNER_URL", url: external.apiOwner };
  const ownerRole = { ...owner, ...(await readRole(owner.name, owner.url)) };
  return { own: await findApiRoles(external, ownerRole, secrets), owner: ownerRole };
}

async function findApiRoles(
  { api, apiDirect, apiOwner }: ExternalApi,
  owner: Owner,
  { api_database_password: password }: Pick<Secrets, "api_database_password">,
): Promise<ApiDatabaseUrls> {
  const direct = apiDirect === undefined ? {} : { apiDirect };
  if (apiOwner !== undefined) {
    const { role } = await readRole("DATABASE_URL", api);
    if (role !== owner.role) return { api, ...direct, apiOwner, apiRole: role };
    throw new StackError(
      `DATABASE_URL and DATABASE_OWNER_URL name the same role, ${role}. The API must connect as a role that does not own the tables.`,
    );
  }
  if (!owner.canCreate) {
    throw new StackError(
      "The role in DATABASE_URL cannot create the API's role. Either grant that role CREATEDB and CREATEROLE, or set DATABASE_OWNER_URL " +
        "to a URL that connects as the database's owner and DATABASE_URL to one that connects as another login role.",
    );
  }
  const apiRole = apiRoleFor(owner.url);
  await withStackErrors(() => ensureWorker({ adminUrl: owner.url, role: apiRole, password }));
  const asApiRole = (url: string) => asRole(url, apiRole, password);
  return {
    api: asApiRole(api),
    ...(apiDirect === undefined ? {} : { apiDirect: asApiRole(apiDirect) }),
    apiOwner: owner.url,
    apiRole,
  };
}

async function ensureStoreAndConnectorDatabases(
  adminUrl: string,
  secrets: Secrets,
): Promise<Pick<DatabaseUrls, "store" | "connector">> {
  return {
    store: await ensureDatabaseWithRole(adminUrl, "tillgate_store", secrets.store_database_password),
    connector: await ensureDatabaseWithRole(
      adminUrl,
      "tillgate_connector",
      secrets.connector_database_password,
    ),
  };
}

async function ensureDatabaseWithRole(adminUrl: string, name: string, password: string): Promise<string> {
  const { url } = await withStackErrors(() =>
    ensureDatabase({ adminUrl, database: name, role: name, password }),
  );
  return url;
}

/** Migrates only the API's database. The store and the connector migrate their own databases when they start. */
export async function migrateApiDatabase({ apiOwner, apiRole }: ApiDatabaseUrls): Promise<void> {
  await withStackErrors(() => migrateDatabase(apiOwner, apiRole));
}

/** @throws StackError if the keys cannot decrypt the secrets stored in the migrated database. */
export async function rejectWrongEncryptionKeys(
  { apiOwner }: ApiDatabaseUrls,
  { encryption_keys: keys }: Secrets,
): Promise<void> {
  const problem = await withConnection({ connectionString: apiOwner }, (client) =>
    describeUnreadableSecrets(client, parseKeyring(keys)),
  );
  if (problem !== undefined) throw new StackError(problem);
}

const roleSchema = z.object({ role: z.string(), canCreate: z.boolean() });

/**
 * Reads a URL's role, and whether it can create databases and roles.
 * @param name the setting that contains the URL, for the error message.
 * @throws StackError if the connection fails.
 */
export async function readRole(name: string, databaseUrl: string): Promise<z.output<typeof roleSchema>> {
  try {
    return await withConnection(
      { connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
      (client) =>
        queryOneRow(
          client,
          roleSchema,
          `SELECT rolname AS role, rolsuper OR (rolcreatedb AND rolcreaterole) AS "canCreate" FROM pg_roles WHERE rolname = current_user`,
        ),
    );
  } catch (cause) {
    const { host, pathname } = new URL(databaseUrl);
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
    throw new StackError(`${name} (${host}${pathname}) cannot be used: ${reason}`, { cause });
  }
}

/** Rethrows the database packages' user-facing errors as StackErrors, so that no stack trace is printed for them. */
export async function withStackErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isUserError =
      error instanceof EmbeddedServerError ||
      error instanceof DatabaseSetupError ||
      error instanceof MigrationError;
    throw isUserError ? new StackError(error.message, { cause: error }) : error;
  }
}
