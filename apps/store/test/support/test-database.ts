import { createDatabase, databaseUrl, dropDatabase } from "../../../../scripts/testing/databases.js";

export type TestDatabase = {
  url: string;
  drop(): Promise<void>;
};

/** Creates an empty database for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = await createDatabase("store");
  return { url: databaseUrl(name).href, drop: () => dropDatabase(name) };
}
