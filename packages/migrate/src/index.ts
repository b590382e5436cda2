export {
  DatabaseSetupError,
  type EnsureDatabaseOptions,
  type EnsuredDatabase,
  ensureDatabase,
} from "./ensure-database.js";
export { migrate } from "./migrate.js";
export { MigrationError, type MigrationErrorReason } from "./migration-error.js";
export { checksumOf, type MigrationFile, matchesChecksum, readMigrations } from "./migration-files.js";
