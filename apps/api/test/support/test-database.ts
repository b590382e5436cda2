import { type Database, openDatabase } from "@tillgate/database";
import type { SandboxDescription } from "@tillgate/database/seed";
import {
  addressOf,
  createFromTemplate,
  dropDatabase,
  requiredOfRun,
  runAsSuperuser,
  testTemplate,
} from "../../../../scripts/testing/databases.js";

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

/** The run's seed: a template with the sandbox in it, the keys it was sealed with, and how to sign in. */
export type TestSeed = { template: string; keys: string; access: SandboxDescription };
export const testSeed = (): TestSeed => JSON.parse(requiredOfRun("TILLGATE_TEST_SEED"));

/** @param template what the database begins as: migrated and empty where left out. */
export async function createTestDatabase(template: string = testTemplate()): Promise<TestDatabase> {
  const name = await createFromTemplate("api", template);
  const address = addressOf(name);
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
    administer: (sql) => runAsSuperuser(sql, addressOf(name).href),
    async drop() {
      await Promise.all(opened.map((database) => database.close()));
      await dropDatabase(name);
    },
  };
}
