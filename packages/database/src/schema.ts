import path from "node:path";
import { type DefinitionsOptions, migrate } from "@tillgate/migrate";

/** Package root, whether this runs from source or from the build. */
const packageRoot = path.join(import.meta.dirname, "..");

/** Tables, types, indexes and data: numbered, immutable once released. */
const migrations = path.join(packageRoot, "sql/migrations");

/** Functions with their triggers, and checks. Each has a file, which is edited in place. */
export const definitions = {
  root: path.join(packageRoot, "src"),
  folders: ["functions", "checks"],
} satisfies DefinitionsOptions;

/** IDs and times that define the ledger's order. The API's role cannot set them. */
const filled = {
  audit_records: ["id"],
  entries: ["id"],
  events: ["created_at", "number", "turn"],
  payment_confirmations: ["created_at"],
  transfers: ["created_at"],
};

/**
 * Migrates the API's database. Returns and throws like `migrate`. `databaseUrl` connects as the owner of the tables; `worker` is the
 * API's role, which owns no tables.
 */
export function migrateDatabase(databaseUrl: string, worker: string): Promise<string[]> {
  return migrate(databaseUrl, migrations, { definitions, worker, filled });
}
