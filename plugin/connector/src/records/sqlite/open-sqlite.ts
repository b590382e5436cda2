import { chmod, open, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  computeChecksum,
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
import { openSql, runWhenNotBusy } from "../sql/sql-records.js";

const folder = fileURLToPath(new URL("../../../migrations/sqlite", import.meta.url));

const appliedSchema = z.array(z.object({ name: z.string(), checksum: z.string() }));

/**
 * Applies all pending migrations in one transaction. Several processes may call this at the same time.
 * @throws MigrationError if a migration was changed, the file is from a newer version, or a migration fails; otherwise SQLite's error
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
        const text = `This file was migrated by a newer version: this version doesn't have ${newer}.`;
        throw new MigrationError("newer", text, newer);
      }
      for (const migration of migrations) {
        const checksum = applied.get(migration.name);
        if (checksum === undefined) apply(file, migration);
        else if (!matchesChecksum(migration.sql, checksum)) {
          const text = `Migration ${migration.name} was changed after it was applied. Restore it and add a new migration.`;
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
    const text = `Migration ${migration.name} failed and was rolled back: ${reason}`;
    throw new MigrationError("failed", text, migration.name, { cause });
  }
  const { name, sql } = migration;
  file.prepare("INSERT INTO migrations (name, checksum) VALUES (?, ?)").run(name, computeChecksum(sql));
}

const readApplied = (file: Database): Map<string, string> =>
  new Map(
    appliedSchema
      .parse(file.prepare("SELECT name, checksum FROM migrations").all())
      .map(({ name, checksum }) => [name, checksum]),
  );

const OWNER_ONLY = 0o600;

/** Migrates and opens the file. @param url `file:/absolute/path` @throws MigrationError, RecordsUnavailable, SQLite's or the file system's error */
export async function openSqlite(url: string): Promise<OpenRecords> {
  const path = fileURLToPath(url);
  await keepToOwner(path);
  await runWhenNotBusy(async () => {
    const file = new SqliteFile(path);
    try {
      // Readers don't wait for the writer. The mode is stored in the file.
      file.pragma("journal_mode = WAL");
      migrateSqlite(file);
    } finally {
      file.close();
    }
  });
  return openSql({
    dialect: new SqliteDialect({ database: reopened(path) }),
    now: sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
    // SQLite has a single writer.
    skipsLocked: false,
  });
}

/** Reopens the file after a statement failed as busy: in libsql, the statement stays open, and later writes of the connection are not committed. */
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
      // `immediate` takes the write lock at the start, so that no later statement of the transaction can fail as busy.
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

/** Restricts access to the file, which contains order keys and events, to its owner. SQLite creates its companion files with the same permissions. */
async function keepToOwner(file: string): Promise<void> {
  await (await open(file, "a", OWNER_ONLY)).close();
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      const { mode } = await stat(path);
      if ((mode & 0o777 & ~OWNER_ONLY) !== 0) await chmod(path, OWNER_ONLY);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}
