import { existsSync } from "node:fs";
import path from "node:path";
import {
  type EmbeddedServer,
  EmbeddedServerError,
  startEmbeddedServer,
  stopLeftoverServer,
} from "@tillgate/database/embedded";
import { migrateDatabase } from "@tillgate/database/schema";
import { DatabaseSetupError, ensureDatabase, MigrationError } from "@tillgate/migrate";
import pg from "pg";
import type { Secrets } from "./secrets.js";
import type { Settings } from "./settings.js";
import { StackError } from "./stack-error.js";

/** Each service's own database, as its own role. */
export type DatabaseUrls = {
  api: string;
  /** The api's database without a pooler in between, when that is another address. */
  apiDirect?: string;
  store: string;
  connector: string;
};

const connectLimitMs = 10_000;

/** Where the embedded PostgreSQL keeps its data. */
export function embeddedDataDirectory(dataDirectory: string): string {
  return path.join(dataDirectory, "postgres");
}

/**
 * Refuses to go on when the secrets are lost and the data is not: new secrets could not read what the old ones
 * encrypted. Must be asked before the secrets are made.
 */
export function refuseLostSecrets(dataDirectory: string): void {
  const secretsFile = path.join(dataDirectory, "secrets.json");
  if (existsSync(secretsFile) || !existsSync(embeddedDataDirectory(dataDirectory))) return;
  throw new StackError(
    `${dataDirectory} holds a database but its secrets.json is gone, and without it stored secrets cannot be read. ` +
      "Put the file back, or move the whole folder away to begin anew.",
  );
}

/** Ends a PostgreSQL that a killed stack left behind. Only for the holder of the data directory's lock. */
export async function stopLeftoverDatabase(dataDirectory: string): Promise<void> {
  await speakPlainly(() => stopLeftoverServer(embeddedDataDirectory(dataDirectory)));
}

/** @throws StackError when the embedded PostgreSQL cannot start. */
export async function startDatabase(options: {
  dataDirectory: string;
  port: number;
  fsync: boolean;
}): Promise<EmbeddedServer> {
  const { dataDirectory, port, fsync } = options;
  return speakPlainly(() =>
    startEmbeddedServer({ dataDirectory: embeddedDataDirectory(dataDirectory), port, fsync }),
  );
}

/** Makes the three roles, each owner of the database of the same name. */
export async function ensureOwnDatabases(adminUrl: string, secrets: Secrets): Promise<DatabaseUrls> {
  return {
    api: await ensureOwn(adminUrl, "tillgate", secrets.database_password),
    ...(await ensureSideDatabases(adminUrl, secrets)),
  };
}

/**
 * Finds the three databases on a PostgreSQL of the user's own. DATABASE_URL is the api's; the other two are
 * used as given, or made beside it when its role may do that.
 * @throws StackError naming the settings that are missing.
 */
export async function findGivenDatabases(
  given: Settings["databaseUrls"] & { api: string },
  secrets: Secrets,
): Promise<DatabaseUrls> {
  // The direct address when there is one: a lock or a migration does not go through a pooler.
  const { api, apiDirect, store, connector } = given;
  const administered = apiDirect ?? api;
  const mayCreate = await roleMayCreate(administered);
  const own = { api, ...(apiDirect === undefined ? {} : { apiDirect }) };
  if (store !== undefined && connector !== undefined) return { ...own, store, connector };
  if (!mayCreate) {
    throw new StackError(
      "The role in DATABASE_URL may not create roles and databases: " +
        "set STORE_DATABASE_URL and CONNECTOR_DATABASE_URL to two more databases, or give it CREATEDB and CREATEROLE.",
    );
  }
  const made = await ensureSideDatabases(administered, secrets);
  return { ...own, store: store ?? made.store, connector: connector ?? made.connector };
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
  const { url } = await speakPlainly(() =>
    ensureDatabase({ adminUrl, database: name, role: name, password }),
  );
  return url;
}

/** Brings the api's database up to date; the store and the connector migrate their own. */
export async function migrateApiDatabase(databaseUrl: string): Promise<void> {
  await speakPlainly(() => migrateDatabase(databaseUrl));
}

async function roleMayCreate(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: connectLimitMs });
  // A connection that breaks between two queries is reported by the next query; without a listener Node exits.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ may: boolean }>(
      "SELECT rolsuper OR (rolcreatedb AND rolcreaterole) AS may FROM pg_roles WHERE rolname = current_user",
    );
    return rows[0]?.may === true;
  } catch (cause) {
    const { host, pathname } = new URL(databaseUrl);
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
    throw new StackError(`DATABASE_URL (${host}${pathname}) cannot be used: ${reason}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Errors that are written for people lose their stack trace; all others keep it. */
async function speakPlainly<Result>(work: () => Promise<Result>): Promise<Result> {
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
