export { withConnection } from "./connection.js";
export {
  type Definition,
  type DefinitionFile,
  type DefinitionsOptions,
  readDefinitions,
} from "./definition-files.js";
export {
  asRole,
  DatabaseSetupError,
  type EnsureDatabaseOptions,
  type EnsuredDatabase,
  type EnsureWorkerOptions,
  ensureDatabase,
  ensureWorker,
} from "./ensure-database.js";
export { type MigrateOptions, migrate } from "./migrate.js";
export { MigrationError, type MigrationErrorReason } from "./migration-error.js";
export {
  computeChecksum,
  type MigrationFile,
  matchesChecksum,
  readMigrations,
} from "./migration-files.js";
