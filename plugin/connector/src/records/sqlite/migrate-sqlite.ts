import { fileURLToPath } from "node:url";
import {
  checksumOf,
  MigrationError,
  type MigrationFile,
  matchesChecksum,
  readMigrations,
} from "@tillgate/migrate";
import type { Database } from "libsql";
import { z } from "zod";

const folder = fileURLToPath(new URL("../../../migrations/sqlite", import.meta.url));

const appliedSchema = z.array(z.object({ name: z.string(), checksum: z.string() }));

/**
 * Brings a SQLite file up to date: applies every migration that it does not have, all of them or none. Several processes
 * may call this at once: one migrates, and the others find nothing to do.
 *
 * @throws MigrationError where a migration was changed after it was applied, a newer version made the file or SQLite
 *   refuses the migration; SQLite's own error where another process writes to the file
 */
export function migrateSqlite(file: Database): void {
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
        const text = `This file was migrated by a newer version, which knows ${newer}; this version does not.`;
        throw new MigrationError("newer", text, newer);
      }
      for (const migration of migrations) {
        const checksum = applied.get(migration.name);
        if (checksum === undefined) apply(file, migration);
        else if (!matchesChecksum(migration.sql, checksum)) {
          const text = `Migration ${migration.name} was changed after it was applied; restore it and write a new migration.`;
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
