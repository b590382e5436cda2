import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkDatabaseRole } from "../../src/platform/working-role.js";
import { createTestDatabase, type TestDatabase } from "../support/test-database.js";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const warned: unknown[][] = [];
const log = { warn: (...words: unknown[]) => void warned.push(words) };
beforeEach(() => {
  warned.length = 0;
});

async function checkRole(options: string | undefined, production: boolean): Promise<string | undefined> {
  const address = new URL(test.url);
  if (options === undefined) address.searchParams.delete("options");
  else address.searchParams.set("options", options);
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  try {
    return await checkDatabaseRole({ pool: client, production, log });
  } finally {
    await client.end();
  }
}

describe("the database role of DATABASE_URL", () => {
  it("is accepted with minimal privileges", async () => {
    expect(await checkRole("-c role=tillgate_api", true)).toBeUndefined();
    expect(warned).toEqual([]);
  });

  it.each([
    ["owns the tables", "-c role=tillgate", /owns tables/],
    ["is a superuser", undefined, /is a superuser/],
  ])(
    "is rejected in production, and only logged in other environments, if it %s",
    async (_what, options, words) => {
      expect(await checkRole(options, true)).toMatch(words);
      expect(await checkRole(options, false)).toBeUndefined();
      expect(warned).toEqual([[{ event: "database.excess_privileges" }, expect.stringMatching(words)]]);
    },
  );

  it("is rejected in production if it can create temporary tables, which come first in the search path", async () => {
    const database = new URL(test.url).pathname.slice(1);
    await test.executeAsSuperuser(`GRANT TEMPORARY ON DATABASE ${database} TO PUBLIC`);
    expect(await checkRole("-c role=tillgate_api", true)).toMatch(/may create temporary tables/);
    await test.executeAsSuperuser(`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
  });
});
