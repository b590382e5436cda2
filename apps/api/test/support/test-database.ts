import { type Database, openDatabase } from "@tillgate/database";
import type { SandboxDescription } from "@tillgate/database/seed";
import {
  createFromTemplate,
  databaseUrl,
  dropDatabase,
  requireRunValue,
  runAsSuperuser,
  testTemplate,
} from "../../../../scripts/testing/databases.js";

export type TestDatabase = {
  /** URL with the API's database role, as in production. */
  url: string;
  /** Opens a pool, which `drop` closes. */
  open(): Database;
  executeAsSuperuser(sql: string): Promise<void>;
  drop(): Promise<void>;
};

const CONNECTIONS_PER_PROCESS = 10;

export type TestSeed = { template: string; keys: string; access: SandboxDescription };
export const testSeed = (): TestSeed => JSON.parse(requireRunValue("TILLGATE_TEST_SEED"));

/** Creates a database for a test file. @param template default: migrated and empty */
export async function createTestDatabase(template: string = testTemplate()): Promise<TestDatabase> {
  const name = await createFromTemplate("api", template);
  const address = databaseUrl(name);
  address.searchParams.set("options", "-c role=tillgate_api");
  const opened: Database[] = [];
  return {
    url: address.href,
    open() {
      const database = openDatabase({
        url: address.href,
        maxConnections: CONNECTIONS_PER_PROCESS,
        connectTimeoutMs: 20_000,
        statementTimeoutMs: 20_000,
        onIdleError: (error) => console.error(error),
      });
      opened.push(database);
      return database;
    },
    executeAsSuperuser: (sql) => runAsSuperuser(sql, databaseUrl(name).href),
    async drop() {
      await Promise.all(opened.map((database) => database.close()));
      await dropDatabase(name);
    },
  };
}
