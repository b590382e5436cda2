import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureDatabase } from "../../src/index.js";
import { adminUrl, query } from "./server.js";

/** Makes every name unique. The names need quoting, so that a missing escape makes a test fail. */
let suffix: string;
let roles: string[];
let databases: string[];

beforeEach(() => {
  suffix = randomBytes(6).toString("hex");
  roles = [];
  databases = [];
});

afterEach(async () => {
  for (const database of databases) {
    await query(adminUrl(), `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`);
  }
  for (const role of roles) await query(adminUrl(), `DROP ROLE IF EXISTS ${pg.escapeIdentifier(role)}`);
});

function options(name: string) {
  const [database, role] = [`${name} "d" ${suffix}`, `${name}'r'%/${suffix}`];
  databases.push(database);
  roles.unshift(role);
  return { adminUrl: adminUrl(), database, role, password: `p'a"ss/%:@${suffix}` };
}

describe("ensureDatabase", () => {
  it("creates a UTF-8 database whose owner can log in and create tables", async () => {
    const expected = options("shop");
    const ensured = await ensureDatabase(expected);
    expect(ensured).toMatchObject({ roleCreated: true, databaseCreated: true });
    await query(ensured.url, "CREATE TABLE fruit (name text)");
    expect(
      await query(
        ensured.url,
        "SELECT current_user AS role, current_database() AS database, getdatabaseencoding() AS encoding",
      ),
    ).toEqual([{ role: expected.role, database: expected.database, encoding: "UTF8" }]);
    const result = await query(
      adminUrl(),
      "SELECT rolsuper OR rolcreatedb OR rolcreaterole AS powerful FROM pg_roles WHERE rolname = $1",
      [expected.role],
    );
    expect(result).toEqual([{ powerful: false }]);
  });

  it("keeps an existing database and updates the password", async () => {
    const wanted = options("shop");
    const { url } = await ensureDatabase(wanted);
    await query(url, "CREATE TABLE kept (id int)");
    const hash = "SELECT rolpassword FROM pg_authid WHERE rolname = $1";
    const before = await query(adminUrl(), hash, [wanted.role]);
    const repeated = await ensureDatabase({ ...wanted, password: "another" });
    expect(repeated).toMatchObject({ roleCreated: false, databaseCreated: false });
    expect(await query(repeated.url, "SELECT count(*)::int AS rows FROM kept")).toEqual([{ rows: 0 }]);
    expect(await query(adminUrl(), hash, [wanted.role])).not.toEqual(before);
  });

  it("creates one role and one database under concurrent starts", async () => {
    const wanted = options("shop");
    const results = await Promise.all(Array.from({ length: 6 }, () => ensureDatabase(wanted)));
    expect(results.filter(({ roleCreated }) => roleCreated)).toHaveLength(1);
    expect(results.filter(({ databaseCreated }) => databaseCreated)).toHaveLength(1);
  });

  it("does not let the owner of another database connect", async () => {
    const shop = await ensureDatabase(options("shop"));
    const other = await ensureDatabase(options("other"));
    const intruder = new URL(other.url);
    intruder.pathname = new URL(shop.url).pathname;
    await expect(query(intruder.href, "SELECT 1")).rejects.toMatchObject({ code: "42501" });
  });

  it("works for an administrator without superuser rights", async () => {
    const administrator = `creator_${suffix}`;
    roles.push(administrator);
    await query(adminUrl(), `CREATE ROLE ${administrator} LOGIN CREATEDB CREATEROLE PASSWORD 'creator'`);
    const address = new URL(adminUrl());
    address.username = administrator;
    address.password = "creator";
    const wanted = { ...options("shop"), adminUrl: address.href };
    expect(await ensureDatabase(wanted)).toMatchObject({ roleCreated: true, databaseCreated: true });
    const { url } = await ensureDatabase(wanted);
    await query(url, "CREATE TABLE fruit (name text)");
  });

  it("rejects a database owned by another role", async () => {
    const shop = options("shop");
    await ensureDatabase(shop);
    const other = options("other");
    await expect(ensureDatabase({ ...other, database: shop.database })).rejects.toMatchObject({
      name: "DatabaseSetupError",
      message: expect.stringContaining(`belongs to role ${shop.role}, not to ${other.role}`),
    });
  });

  it.each([
    { database: "" },
    { database: "d".repeat(64) },
    { role: "é".repeat(32) },
    { role: "" },
    { password: "" },
  ])("rejects %o before connecting", async (changes) => {
    const unreachable = { ...options("shop"), adminUrl: "postgresql://nobody@127.0.0.1:1/postgres" };
    await expect(ensureDatabase({ ...unreachable, ...changes })).rejects.toThrow(
      /must have 1 to 63 bytes|is empty/,
    );
  });
});
