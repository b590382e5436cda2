import { isUnavailable } from "@tillgate/service/unavailable";
import { afterAll, describe, expect, it } from "vitest";
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  runAsSuperuser,
} from "../../../../scripts/testing/databases.js";
import { openDatabase } from "../../src/database.js";

// The tests' role is a superuser, but even a superuser cannot connect to a closed database.
const name = await createDatabase("closed");

const thrown = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

afterAll(() => dropDatabase(name));

describe("SQLSTATE 55000", () => {
  const open = () =>
    openDatabase({
      url: databaseUrl(name).href,
      maxConnections: 2,
      connectTimeoutMs: 5_000,
      statementTimeoutMs: 5_000,
      onIdleError: () => undefined,
    });

  it("counts as a bug if a statement fails with it", async () => {
    const database = open();
    await database.pool.query("CREATE SEQUENCE counted");
    for (const work of [
      database.pool.query("SELECT currval('counted')"),
      database.prisma.$queryRaw`SELECT currval('counted')`,
    ]) {
      const error = await thrown(work);
      expect(JSON.stringify(error) + String(error)).toContain("55000");
      expect(isUnavailable(error)).toBe(false);
    }
    await database.close();
  });

  it("counts as unavailable if a connection is rejected with it, in the driver and in Prisma", async () => {
    await runAsSuperuser(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    const database = open();
    const bare = await thrown(database.pool.query("SELECT 1"));
    expect(bare).toMatchObject({ code: "55000", severity: "FATAL" });
    expect(isUnavailable(bare)).toBe(true);
    expect(isUnavailable(await thrown(database.prisma.$queryRaw`SELECT 1`))).toBe(true);
    await database.close();
  });
});
