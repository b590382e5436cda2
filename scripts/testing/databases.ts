import { randomBytes } from "node:crypto";
import { withConnection } from "../../packages/migrate/src/index.js";

/** Returns the superuser URL of the run's PostgreSQL; see `postgres.ts`. */
export const testServer = (): string => requireRunValue("TILLGATE_TEST_POSTGRES_URL");
export const testTemplate = (): string => requireRunValue("TILLGATE_TEST_TEMPLATE");

/** Returns the file in which a run of guard ablation records the functions that each test file calls; undefined in other runs. */
export const recordOfCalls = (): string | undefined => process.env[RECORD_OF_CALLS];
export const RECORD_OF_CALLS = "TILLGATE_TEST_CALLS";

/** Returns a variable set by the global set-up in `postgres.ts`. @throws Error if the variable is not set */
export function requireRunValue(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the integration project of Vitest from the root`);
  return value;
}

/** Returns the superuser URL of a database on the run's PostgreSQL. */
export function databaseUrl(name: string): URL {
  const address = new URL(testServer());
  address.pathname = `/${name}`;
  return address;
}

/** Runs SQL as superuser. @param url database URL; default: the server's maintenance database */
export async function runAsSuperuser(
  sql: string,
  url: string = testServer(),
  parameters: readonly string[] = [],
): Promise<void> {
  await withConnection({ connectionString: url }, (client) => client.query(sql, [...parameters]));
}

const newName = (prefix: string): string => `${prefix}_${randomBytes(6).toString("hex")}`;

/** Creates an empty database for a test file. @returns the database's name */
export async function createDatabase(prefix: string): Promise<string> {
  const name = newName(prefix);
  await runAsSuperuser(`CREATE DATABASE ${name}`);
  return name;
}

/** Creates a database from a template. `STRATEGY file_copy` is twice as fast as the default. @returns the database's name */
export async function createFromTemplate(prefix: string, template: string): Promise<string> {
  const name = newName(prefix);
  await withConnection({ connectionString: testServer() }, async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER tillgate STRATEGY file_copy`);
    // Privileges on tables are copied from the template; those on the database itself are not.
    await client.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  });
  return name;
}

/** Closes a database's connections and drops it, except during guard ablation, which still reads the called functions from it. */
export async function dropDatabase(name: string): Promise<void> {
  if (recordOfCalls() === undefined) await runAsSuperuser(`DROP DATABASE ${name} WITH (FORCE)`);
}
