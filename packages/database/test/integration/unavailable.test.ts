import { randomBytes } from "node:crypto";
import { isUnavailable } from "@tillgate/service/unavailable";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/database.js";

const server = process.env.TILLGATE_TEST_POSTGRES_URL ?? "";
const name = `closed_${randomBytes(6).toString("hex")}`;
// The role of the tests' address is a superuser; nobody gets into a closed database, not even that one.
const url = new URL(server);
url.pathname = `/${name}`;

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
const thrown = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

beforeAll(() => administer(`CREATE DATABASE ${name}`));
afterAll(() => administer(`DROP DATABASE ${name} WITH (FORCE)`));

describe("SQLSTATE 55000", () => {
  const open = () =>
    openDatabase({
      url: url.href,
      maxConnections: 2,
      connectTimeoutMs: 5_000,
      statementTimeoutMs: 5_000,
      onIdleError: () => undefined,
    });

  it("counts as a bug when a statement fails with it", async () => {
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

  it("counts as unavailable when a connection is rejected with it, in the driver and in Prisma", async () => {
    await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    const database = open();
    const bare = await thrown(database.pool.query("SELECT 1"));
    expect(bare).toMatchObject({ code: "55000", severity: "FATAL" });
    expect(isUnavailable(bare)).toBe(true);
    expect(isUnavailable(await thrown(database.prisma.$queryRaw`SELECT 1`))).toBe(true);
    await database.close();
  });
});
