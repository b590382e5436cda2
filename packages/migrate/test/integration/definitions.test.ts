import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../src/index.js";
import { adminUrl, query } from "./server.js";

let root: string;
let database: string;
let url: string;

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), "tillgate-definitions-"));
  database = `definitions_${randomBytes(8).toString("hex")}`;
  await query(adminUrl(), `CREATE DATABASE ${database}`);
  const address = new URL(adminUrl());
  address.pathname = `/${database}`;
  url = address.href;
  write("migrations/0001_fruit/migration.sql", "CREATE TABLE fruit (name text, weight int);");
  write("functions/answer.sql", answering("int", "42"));
  write("checks/fruit.sql", "ALTER TABLE fruit\n  ADD CONSTRAINT fruit_weighs CHECK (weight > 0);");
});

afterEach(async () => {
  rmSync(root, { recursive: true });
  await query(adminUrl(), `DROP DATABASE ${database} WITH (FORCE)`);
});

function write(file: string, sql: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), sql);
}
const remove = (file: string): void => rmSync(path.join(root, file));

const answering = (type: string, body: string, parameters = ""): string =>
  `-- What it is; not a statement.\nCREATE OR REPLACE FUNCTION answer(${parameters}) RETURNS ${type} LANGUAGE sql AS $$ SELECT ${body} $$;`;
const GUARD = `CREATE OR REPLACE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'no; and "ALTER TABLE" here is text';
END $$;
CREATE TRIGGER fruit_is_guarded BEFORE DELETE ON fruit FOR EACH STATEMENT EXECUTE FUNCTION guard();`;

const update = () =>
  migrate(url, path.join(root, "migrations"), { definitions: { root, folders: ["functions", "checks"] } });
const names = async (sql: string): Promise<string[]> =>
  ((await query(url, sql)) as { name: string }[]).map(({ name }) => name);
const functions = () =>
  names(
    "SELECT oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1",
  );
const triggers = () => names("SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1");

describe("definitions", () => {
  it("are applied after the migrations, and again only when they change", async () => {
    expect(await update()).toEqual(["0001_fruit", "functions/answer.sql", "checks/fruit.sql"]);
    expect(await update()).toEqual([]);
    expect(await query(url, "SELECT answer()")).toEqual([{ answer: 42 }]);
    await expect(query(url, "INSERT INTO fruit VALUES ('fig', 0)")).rejects.toMatchObject({ code: "23514" });

    write("functions/answer.sql", answering("int", "43"));
    write("checks/fruit.sql", "ALTER TABLE fruit\n  ADD CONSTRAINT fruit_weighs CHECK (weight >= 0);");
    expect(await update()).toEqual(["functions/answer.sql", "checks/fruit.sql"]);
    expect(await query(url, "SELECT answer()")).toEqual([{ answer: 43 }]);
    await query(url, "INSERT INTO fruit VALUES ('fig', 0)");
  });

  it("are not applied again if only their comments change", async () => {
    await update();
    const check =
      "ALTER TABLE fruit -- of the shop\n\n  ADD CONSTRAINT fruit_weighs CHECK (weight > 0); -- none";
    write("checks/fruit.sql", `-- The weight.\n-- It's positive.\n${check}\n`);
    expect(await update()).toEqual([]);
    write("checks/fruit.sql", "ALTER TABLE fruit\n  ADD CONSTRAINT fruit_weighs CHECK (name <> '--  a');");
    expect(await update()).toEqual(["checks/fruit.sql"]);
    write("checks/fruit.sql", "ALTER TABLE fruit\n  ADD CONSTRAINT fruit_weighs CHECK (name <> '-- a');");
    expect(await update()).toEqual(["checks/fruit.sql"]);
  });

  it("may reference definitions of a later file", async () => {
    write(
      "functions/a-first.sql",
      "CREATE OR REPLACE FUNCTION first() RETURNS int LANGUAGE sql AS $$ SELECT answer() $$;",
    );
    await update();
    expect(await query(url, "SELECT first()")).toEqual([{ first: 42 }]);
  });

  it("replace old signatures and return types without breaking callers", async () => {
    write(
      "functions/caller.sql",
      "CREATE OR REPLACE FUNCTION caller() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN answer(); END $$;",
    );
    await update();
    write("functions/answer.sql", answering("int", "44 + coalesce(p_more, 0)", "p_more int DEFAULT NULL"));
    await update();
    expect(await functions()).toEqual(["answer(integer)", "caller()"]);
    expect(await query(url, "SELECT caller()")).toEqual([{ caller: "44" }]);
    write("functions/answer.sql", answering("text", "'forty-five'"));
    await update();
    expect(await functions()).toEqual(["answer()", "caller()"]);
    expect(await query(url, "SELECT caller()")).toEqual([{ caller: "forty-five" }]);
  });

  it("are dropped when no file defines them, and remain when they move to another file", async () => {
    write("functions/guard.sql", GUARD);
    await update();
    expect(await triggers()).toEqual(["fruit_is_guarded"]);

    remove("functions/guard.sql");
    write("functions/moved/guard.sql", GUARD.replace("fruit_is_guarded", "fruit_is_kept"));
    expect(await update()).toEqual(["functions/moved/guard.sql", "functions/guard.sql"]);
    expect(await triggers()).toEqual(["fruit_is_kept"]);
    expect(await functions()).toEqual(["answer()", "guard()"]);

    remove("functions/moved/guard.sql");
    remove("checks/fruit.sql");
    await update();
    expect(await triggers()).toEqual([]);
    expect(await functions()).toEqual(["answer()"]);
    await query(url, "INSERT INTO fruit VALUES ('fig', -1)");
  });

  it("replace a function that is called by triggers in other files", async () => {
    write("functions/guard.sql", GUARD);
    write(
      "functions/other.sql",
      "CREATE TRIGGER fruit_stays BEFORE TRUNCATE ON fruit FOR EACH STATEMENT EXECUTE FUNCTION guard();",
    );
    await update();
    write("functions/guard.sql", GUARD.replace("no;", "never;"));
    expect(await update()).toEqual(["functions/guard.sql"]);
    expect(await triggers()).toEqual(["fruit_is_guarded", "fruit_stays"]);
    await expect(query(url, "TRUNCATE fruit")).rejects.toThrow("never;");
  });

  it("are rolled back with the migrations when a definition fails", async () => {
    await update();
    write("migrations/0002_nut/migration.sql", "CREATE TABLE nut (name text);");
    write("functions/answer.sql", answering("int", "46"));
    write("checks/fruit.sql", "ALTER TABLE fruit\n  ADD CONSTRAINT fruit_weighs CHECK (heavy > 0);");
    await expect(update()).rejects.toMatchObject({
      reason: "failed",
      migration: "checks/fruit.sql",
      message: 'checks/fruit.sql failed: column "heavy" does not exist. Nothing was changed.',
    });
    expect(await query(url, "SELECT answer()")).toEqual([{ answer: 42 }]);
    expect(await query(url, "SELECT 1 FROM pg_class WHERE relname = 'nut'")).toEqual([]);
  });

  it.each([
    ["a table", "CREATE TABLE nut (name text);", "functions/wrong.sql contains"],
    ["CREATE without OR REPLACE", "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';", "contains"],
    [
      "a key among the checks",
      "ALTER TABLE fruit ADD CONSTRAINT c CHECK (true), ADD PRIMARY KEY (name);",
      "contains",
    ],
    [
      "two functions",
      `${answering("int", "1").replace("answer", "one")}\n${answering("int", "1").replace("answer", "two")}`,
      "several functions",
    ],
    ["a function that another file defines", answering("int", "1"), "both define function answer"],
    [
      "a long statement",
      `CREATE TABLE nut (\n${"  name text,\n".repeat(20)}  weight int);`,
      ', name t". Definition',
    ],
    ["a block comment", "ALTER TABLE fruit ADD CONSTRAINT c CHECK (/* -- x */ weight > 1);", "contains /*"],
    ["a quoted identifier", 'ALTER TABLE fruit ADD CONSTRAINT c CHECK ("a--b" > 1);', 'contains "'],
    [
      "a string with escapes",
      "ALTER TABLE fruit ADD CONSTRAINT c CHECK (name <> E'\\'--' AND weight > 1);",
      "contains E''",
    ],
    ["a no-break space", "ALTER TABLE fruit ADD CONSTRAINT c CHECK (weight >\u00a01);", "contains \u00a0"],
  ])("are rejected in a file with %s", async (_what, sql, message) => {
    write("functions/wrong.sql", sql);
    await expect(update()).rejects.toMatchObject({
      reason: "unreadable",
      message: expect.stringContaining(message),
    });
  });
});
