import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../src/index.js";
import { adminUrl, query } from "./server.js";

let directory: string;
let database: string;
let url: string;

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), "tillgate-migrations-"));
  database = `migrate_${randomBytes(8).toString("hex")}`;
  await query(adminUrl(), `CREATE DATABASE ${database}`);
  const address = new URL(adminUrl());
  address.pathname = `/${database}`;
  url = address.href;
});

afterEach(async () => {
  rmSync(directory, { recursive: true });
  await query(adminUrl(), `DROP DATABASE ${database} WITH (FORCE)`);
});

function write(name: string, sql: string): void {
  mkdirSync(path.join(directory, name), { recursive: true });
  writeFileSync(path.join(directory, name, "migration.sql"), sql);
}

const records = () =>
  query(url, "SELECT migration_name, finished_at IS NOT NULL AS finished FROM _prisma_migrations ORDER BY 1");

describe("migrate", () => {
  it("applies missing migrations once, in order", async () => {
    write("2_fill", "INSERT INTO fruit VALUES ('fig'); INSERT INTO fruit VALUES ('pear');");
    write("1_create", "CREATE TABLE fruit (name text);");
    expect(await migrate(url, directory)).toEqual(["1_create", "2_fill"]);
    expect(await migrate(url, directory)).toEqual([]);
    write("3_more", "INSERT INTO fruit VALUES ('plum');");
    expect(await migrate(url, directory)).toEqual(["3_more"]);
    expect(await query(url, "SELECT name FROM fruit")).toHaveLength(3);
    expect(await records()).toEqual(
      ["1_create", "2_fill", "3_more"].map((migration_name) => ({ migration_name, finished: true })),
    );
  });

  it("applies a migration once under concurrent starts", async () => {
    write("1_slow", "SELECT pg_sleep(0.2); CREATE TABLE once (id int);");
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url, directory)));
    expect(applied.flat()).toEqual(["1_slow"]);
  });

  it("rolls back all pending migrations if one fails, reports the failing line, and applies them once it is fixed", async () => {
    write("0_before", "CREATE TABLE before (id int);");
    await migrate(url, directory);
    write("1_good", "CREATE TABLE good (id int);");
    write("2_bad", "CREATE TABLE half (id int);\n-- é😀\nINSERT INTO nowhere VALUES (1);");
    write("3_never", "CREATE TABLE never (id int);");
    await expect(migrate(url, directory)).rejects.toMatchObject({
      name: "MigrationError",
      reason: "failed",
      migration: "2_bad",
      message: 'Migration 2_bad failed: line 3: relation "nowhere" does not exist. Nothing was changed.',
      cause: expect.any(pg.DatabaseError),
    });
    const tables = await query(
      url,
      "SELECT relname FROM pg_class WHERE relname IN ('good', 'half', 'never')",
    );
    expect(tables).toEqual([]);
    expect(await records()).toEqual([{ migration_name: "0_before", finished: true }]);

    write("2_bad", "CREATE TABLE half (id int);");
    expect(await migrate(url, directory)).toEqual(["1_good", "2_bad", "3_never"]);
  });

  it("rejects a migration that has changed since it was applied", async () => {
    write("1_create", "CREATE TABLE fruit (name text);");
    await migrate(url, directory);
    write("1_create", "CREATE TABLE fruit (name varchar);");
    write("2_new", "CREATE TABLE nut (name text);");
    await expect(migrate(url, directory)).rejects.toMatchObject({ reason: "changed", migration: "1_create" });
    expect(await query(url, "SELECT 1 FROM pg_class WHERE relname = 'nut'")).toEqual([]);
  });

  it("rejects a database that a newer version has migrated", async () => {
    write("1_create", "CREATE TABLE fruit (name text);");
    write("2_newer", "CREATE TABLE nut (name text);");
    await migrate(url, directory);
    rmSync(path.join(directory, "2_newer"), { recursive: true });
    write("3_other", "CREATE TABLE other (name text);");
    await expect(migrate(url, directory)).rejects.toMatchObject({
      reason: "newer",
      migration: "2_newer",
      message:
        "This database was migrated by a newer version: this version does not have the migration 2_newer. " +
        "Start that version, or restore a backup from before the migration.",
    });
    expect(await query(url, "SELECT 1 FROM pg_class WHERE relname = 'other'")).toEqual([]);
  });

  it("runs the deferred checks of one migration before the next migration alters the table", async () => {
    write(
      "1_create",
      "CREATE TABLE tree (id int PRIMARY KEY, parent int REFERENCES tree DEFERRABLE INITIALLY DEFERRED);",
    );
    write("2_fill", "INSERT INTO tree VALUES (2, 1); INSERT INTO tree VALUES (1, 1);");
    write("3_alter", "ALTER TABLE tree ADD COLUMN name text;");
    expect(await migrate(url, directory)).toHaveLength(3);
  });

  it("stops at a failure recorded by Prisma's CLI until it is resolved", async () => {
    write("1_create", "CREATE TABLE fruit (name text);");
    await migrate(url, directory);
    await query(
      url,
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('x', 'x', '2_broken', 'it broke')",
    );
    write("2_broken", "CREATE TABLE nut (name text);");
    await expect(migrate(url, directory)).rejects.toMatchObject({
      reason: "unresolved",
      migration: "2_broken",
    });
    await query(url, "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = 'x'");
    expect(await migrate(url, directory)).toEqual(["2_broken"]);
  });

  it("rejects with PostgreSQL's error when the database does not exist", async () => {
    write("1_create", "CREATE TABLE fruit (name text);");
    const address = new URL(url);
    address.pathname = "/no_such_database";
    await expect(migrate(address.href, directory)).rejects.toMatchObject({ code: "3D000" });
  });
});
