import path from "node:path";
import { type DefinitionsOptions, migrate } from "@tillgate/migrate";

/** Package root, from both source and build. */
const packageRoot = path.join(import.meta.dirname, "..");

/** Tables, types, indexes and data: numbered, immutable once released. */
const migrations = path.join(packageRoot, "sql/migrations");

/** Functions with their triggers, and checks: one file each, edited in place. */
export const definitions = {
  root: path.join(packageRoot, "src"),
  folders: ["functions", "checks"],
} satisfies DefinitionsOptions;

/** Ids and times that order the ledger, which the api's role cannot set. */
const filled = {
  audit_records: ["id"],
  entries: ["id"],
  events: ["created_at", "number", "turn"],
  payment_confirmations: ["created_at"],
  transfers: ["created_at"],
};

/**
 * Brings the api's database up to date, from nothing or from any release.
 * @param databaseUrl address as the owner of the tables, which migrates and does nothing else.
 * @param worker the login role that the api works as; it owns nothing.
 * @returns what was applied, in order; empty when nothing was missing.
 * @throws MigrationError as `migrate` does.
 */
export function migrateDatabase(databaseUrl: string, worker: string): Promise<string[]> {
  return migrate(databaseUrl, migrations, { definitions, worker, filled });
}
