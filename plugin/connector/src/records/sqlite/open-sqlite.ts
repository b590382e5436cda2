import { chmod, open, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  checksumOf,
  MigrationError,
  type MigrationFile,
  matchesChecksum,
  readMigrations,
} from "@tillgate/migrate";
import { type SqliteDatabase, SqliteDialect, sql } from "kysely";
import SqliteFile, { type Database } from "libsql";
import { z } from "zod";
import type { OpenRecords } from "../records.js";
import { isBusy } from "../records-unavailable.js";
import { openSql, whenFree } from "../sql/sql-records.js";

const folder = fileURLToPath(new URL("../../../migrations/sqlite", import.meta.url));

const appliedSchema = z.array(z.object({ name: z.string(), checksum: z.string() }));

/**
 * Brings a SQLite file up to date: applies every migration that it does not have, all of them or none. Several processes
 * may call this at once: one migrates, and the others find nothing to do.
 *
 * @throws MigrationError where a migration was changed after it was applied, a newer version made the file or SQLite
 *   refuses the migration; SQLite's own error where another process writes to the file
 */
function migrateSqlite(file: Database): void {
  file
    .transaction(() => {
      file.exec(
        `CREATE TABLE IF NOT EXISTS migrations (
          name TEXT PRIMARY KEY,
          checksum TEXT NOT NULL,
          applied_at TEXT NOT NULL DEFAULT (datetime('now'))
        ) STRICT`,
      );
      const migrations = readMigrations(folder);
      const applied = readApplied(file);
      const newer = [...applied.keys()].find((name) => migrations.every((known) => known.name !== name));
      if (newer !== undefined) {
        const text = `This file was migrated by a newer version, and ${newer} is unknown to this one.`;
        throw new MigrationError("newer", text, newer);
      }
      for (const migration of migrations) {
        const checksum = applied.get(migration.name);
        if (checksum === undefined) apply(file, migration);
        else if (!matchesChecksum(migration.sql, checksum)) {
          const text = `Migration ${migration.name} was changed after it was applied. Restore it and write a new migration.`;
          throw new MigrationError("changed", text, migration.name);
        }
      }
    })
    .immediate();
}

function apply(file: Database, migration: MigrationFile): void {
  try {
    file.exec(migration.sql);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const text = `Migration ${migration.name} failed: ${reason} Nothing of it was kept.`;
    throw new MigrationError("failed", text, migration.name, { cause });
  }
  const { name, sql } = migration;
  file.prepare("INSERT INTO migrations (name, checksum) VALUES (?, ?)").run(name, checksumOf(sql));
}

const readApplied = (file: Database): Map<string, string> =>
  new Map(
    appliedSchema
      .parse(file.prepare("SELECT name, checksum FROM migrations").all())
      .map(({ name, checksum }) => [name, checksum]),
  );

const OWNER_ONLY = 0o600;

/**
 * Brings the connector's SQLite file up to date and opens it. Several processes may use one file; what was written
 * survives the end of any of them.
 *
 * @param url `file:/absolute/path`
 */
export async function openSqlite(url: string): Promise<OpenRecords> {
  const path = fileURLToPath(url);
  await keepToOwner(path);
  await whenFree(async () => {
    const file = new SqliteFile(path);
    try {
      // Readers do not wait for the writer then. The file remembers it.
      file.pragma("journal_mode = WAL");
      migrateSqlite(file);
    } finally {
      file.close();
    }
  });
  return openSql({
    dialect: new SqliteDialect({ database: reopened(path) }),
    now: sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
    // One writes at a time.
    skipsLocked: false,
  });
}

/**
 * A SQLite file as Kysely has it. A statement that was refused because another process writes stays open in libsql, and what its
 * connection writes after it is not committed: the next statement gets a new connection.
 */
function reopened(path: string): SqliteDatabase {
  let file = new SqliteFile(path);
  const orReopen = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      if (isBusy(error)) {
        file.close();
        file = new SqliteFile(path);
      }
      throw error;
    }
  };
  return {
    prepare(text) {
      // A transaction waits for its turn when it begins, never between two of its statements.
      const statement = orReopen(() => file.prepare(text === "begin" ? "begin immediate" : text));
      return {
        reader: statement.reader,
        all: (values) => orReopen(() => statement.all([...values])),
        run: (values) => orReopen(() => statement.run([...values])),
        iterate: (values) => statement.iterate([...values]),
      };
    },
    close: () => void file.close(),
  };
}

/**
 * Only the connector may read orders' keys, requests and events. SQLite makes the files beside it with this file's
 * permissions; existing ones are corrected.
 */
async function keepToOwner(file: string): Promise<void> {
  await (await open(file, "a", OWNER_ONLY)).close();
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      const { mode } = await stat(one);
      if ((mode & 0o777 & ~OWNER_ONLY) !== 0) await chmod(one, OWNER_ONLY);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}
