import { fileURLToPath } from "node:url";
import type { Client } from "@libsql/client";
import {
  checksumOf,
  MigrationError,
  type MigrationFile,
  matchesChecksum,
  readMigrations,
} from "@tillgate/migrate";
import { z } from "zod";

const migrations = fileURLToPath(new URL("../../../migrations/sqlite", import.meta.url));

const appliedSchema = z.object({ name: z.string(), checksum: z.string() });

/**
 * Brings a SQLite file up to date: applies every migration that it does not have, each with its record or not at all.
 * Several processes may call this at once: the record can be made once only, and who comes second finds it.
 *
 * @throws MigrationError where a migration was changed after it was applied or SQLite refuses it
 */
export async function migrateSqlite(client: Client): Promise<void> {
  await client.execute(
    `CREATE TABLE IF NOT EXISTS migrations (
      name TEXT PRIMARY KEY,
      checksum TEXT NOT NULL,
      applied_at TEXT NOT NULL DEFAULT (datetime('now'))
    ) STRICT`,
  );
  for (const migration of readMigrations(migrations)) {
    if (await isApplied(client, migration)) continue;
    try {
      await client.executeMultiple(script(migration));
    } catch (cause) {
      if (await isApplied(client, migration)) continue;
      const reason = cause instanceof Error ? cause.message : String(cause);
      const text = `Migration ${migration.name} failed: ${reason} Nothing of it was kept.`;
      throw new MigrationError("failed", text, migration.name, { cause });
    }
  }
}

/** One call, because a transaction over several would keep other connections of this process waiting for themselves. */
const script = ({ name, sql }: MigrationFile): string => `BEGIN IMMEDIATE;
INSERT INTO migrations (name, checksum) VALUES ('${name.replaceAll("'", "''")}', '${checksumOf(sql)}');
${sql}
COMMIT;`;

async function isApplied(client: Client, { name, sql }: MigrationFile): Promise<boolean> {
  const { rows } = await client.execute({
    sql: "SELECT name, checksum FROM migrations WHERE name = ?",
    args: [name],
  });
  const [row] = rows.map((one) => appliedSchema.parse(one));
  if (row === undefined) return false;
  if (matchesChecksum(sql, row.checksum)) return true;
  const text = `Migration ${name} was changed after it was applied; restore it and write a new migration.`;
  throw new MigrationError("changed", text, name);
}
