import { randomBytes } from "node:crypto";
import { type Database, openDatabase } from "@tillgate/database";
import type { SandboxDescription } from "@tillgate/database/seed";
import pg from "pg";

/** A database of one test file, made from the run's template. */
export type TestDatabase = {
  /** Address with the rights of the role that runs in real life, which is no superuser. */
  url: string;
  /** Opens a pool of its own; `drop` closes it. */
  open(): Database;
  /** Runs SQL as superuser in this database. */
  administer(sql: string): Promise<void>;
  drop(): Promise<void>;
};

const CONNECTIONS_A_PROCESS = 10;

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the integration project of Vitest from the root`);
  return value;
}

async function runOnce(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The run's seed: a template with the sandbox in it, the keys it was sealed with, and how to sign in. */
export type TestSeed = { template: string; keys: string; access: SandboxDescription };
export const testSeed = (): TestSeed => JSON.parse(required("TILLGATE_TEST_SEED"));

/** @param template what the database begins as: migrated and empty where left out. */
export async function createTestDatabase(
  template: string = required("TILLGATE_TEST_TEMPLATE"),
): Promise<TestDatabase> {
  const server = required("TILLGATE_TEST_POSTGRES_URL");
  const name = `api_${randomBytes(6).toString("hex")}`;
  await runOnce(server, `CREATE DATABASE ${name} TEMPLATE ${template} OWNER tillgate`);
  // The migrator's grants on the tables come with the template; what is said of a database itself does not.
  await runOnce(server, `REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  const administrator = new URL(server);
  administrator.pathname = `/${name}`;
  const address = new URL(administrator);
  address.searchParams.set("options", "-c role=tillgate_api");
  const opened: Database[] = [];
  return {
    url: address.href,
    open() {
      const database = openDatabase({
        url: address.href,
        maxConnections: CONNECTIONS_A_PROCESS,
        connectTimeoutMs: 20_000,
        statementTimeoutMs: 20_000,
        onIdleError: (error) => console.error(error),
      });
      opened.push(database);
      return database;
    },
    administer: (sql) => runOnce(administrator.href, sql),
    async drop() {
      await Promise.all(opened.map((database) => database.close()));
      await runOnce(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
