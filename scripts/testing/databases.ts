import { randomBytes } from "node:crypto";
import pg from "pg";

/** The run's PostgreSQL, with a superuser's rights: see `postgres.ts`. */
export const testServer = (): string => requiredOfRun("TILLGATE_TEST_POSTGRES_URL");
/** Of the run: a database with tables and functions, and nothing in them. */
export const testTemplate = (): string => requiredOfRun("TILLGATE_TEST_TEMPLATE");

/** A variable that the run's set-up fills: see `postgres.ts`. */
export function requiredOfRun(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the integration project of Vitest from the root`);
  return value;
}

/** The address of a database of the run's PostgreSQL, with a superuser's rights. */
export function addressOf(name: string): URL {
  const address = new URL(testServer());
  address.pathname = `/${name}`;
  return address;
}

/**
 * Runs SQL as superuser.
 * @param url of a database; default: the server's first one.
 */
export async function runAsSuperuser(
  sql: string,
  url: string = testServer(),
  parameters: readonly string[] = [],
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql, [...parameters]);
  } finally {
    await client.end();
  }
}

/**
 * Makes a database of one test file, or of one test, from a template of the run. Copied as files, which takes half as long as through the
 * log: nothing here has to survive a crash.
 * @returns its name.
 */
export async function createFromTemplate(prefix: string, template: string): Promise<string> {
  const name = `${prefix}_${randomBytes(6).toString("hex")}`;
  await runAsSuperuser(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER tillgate STRATEGY file_copy`);
  // The migrator's grants on the tables come with the template; what is said of a database itself does not.
  await runAsSuperuser(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  return name;
}

/** Ends its connections and removes it. */
export const dropDatabase = (name: string): Promise<void> =>
  runAsSuperuser(`DROP DATABASE ${name} WITH (FORCE)`);
