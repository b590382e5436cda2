import pg from "pg";
import { runScript } from "./connection.js";
import {
  type Definition,
  type DefinitionFile,
  type DefinitionsOptions,
  describeDefinition,
  readDefinitions,
} from "./definition-files.js";

export type { DefinitionsOptions } from "./definition-files.js";

const createDefinitionsTable = `CREATE TABLE IF NOT EXISTS _definitions (
  file TEXT PRIMARY KEY,
  checksum TEXT NOT NULL,
  defines JSONB NOT NULL,
  applied_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
)`;

type Record = { file: string; checksum: string; defines: Definition[] };

/**
 * Applies changed files and drops objects that are no longer defined, in the open transaction. Functions may refer to functions of later files.
 * @returns the applied and the removed files.
 * @throws MigrationError `unreadable` from {@link readDefinitions}, `failed` if PostgreSQL rejects a file.
 */
export async function applyDefinitions(client: pg.Client, options: DefinitionsOptions): Promise<string[]> {
  const files = readDefinitions(options);
  await client.query(createDefinitionsTable);
  const { rows } = await client.query<Record>("SELECT file, checksum, defines FROM _definitions");
  const inForce = new Map(rows.map((row) => [row.file, row]));
  const changed = files.filter(({ name, checksum }) => inForce.get(name)?.checksum !== checksum);
  const names = new Set(files.map(({ name }) => name));
  const removedFiles = rows.filter(({ file }) => !names.has(file)).map(({ file }) => file);
  if (changed.length + removedFiles.length === 0) return [];

  // Drops stale triggers and checks first, so that a definition moved to another file exists only once.
  const staleDefinitions = [...changed.map(({ name }) => name), ...removedFiles].flatMap(
    (name) => inForce.get(name)?.defines ?? [],
  );
  for (const definition of staleDefinitions) await dropFromTable(client, definition);
  await client.query("SET LOCAL check_function_bodies = off");
  for (const file of changed) {
    await applyFile(client, file);
    await client.query(
      `INSERT INTO _definitions (file, checksum, defines) VALUES ($1, $2, $3)
       ON CONFLICT (file) DO UPDATE SET checksum = excluded.checksum, defines = excluded.defines, applied_at = clock_timestamp()`,
      [file.name, file.checksum, JSON.stringify(file.defines)],
    );
  }
  const defined = new Set(files.flatMap(({ defines }) => defines.map(describeDefinition)));
  for (const definition of staleDefinitions.filter((known) => !defined.has(describeDefinition(known)))) {
    if (definition.kind !== "function") continue;
    for (const signature of await readSignatures(client, [definition.name]))
      await dropFunction(client, signature);
  }
  await client.query("DELETE FROM _definitions WHERE file = ANY ($1)", [removedFiles]);
  return [...changed.map(({ name }) => name), ...removedFiles];
}

async function dropFromTable(client: pg.Client, definition: Definition): Promise<void> {
  if (definition.kind === "function") return;
  const name = pg.escapeIdentifier(definition.name);
  const table = pg.escapeIdentifier(definition.table);
  await client.query(
    definition.kind === "trigger"
      ? `DROP TRIGGER IF EXISTS ${name} ON ${table}`
      : `ALTER TABLE IF EXISTS ${table} DROP CONSTRAINT IF EXISTS ${name}`,
  );
}

/**
 * Replaces functions in place where PostgreSQL allows it, so that running calls are not disturbed. If the return type, parameter names or
 * number of defaults changed, drops and recreates them. If parameter types changed, drops the functions with the previous types.
 */
async function applyFile(client: pg.Client, { name, sql, defines }: DefinitionFile): Promise<void> {
  const functions = defines.filter(({ kind }) => kind === "function").map((definition) => definition.name);
  const before = await readSignatures(client, functions);
  await client.query("SAVEPOINT before_file");
  try {
    await runScript(client, name, sql, name);
  } catch (error) {
    if (!(error instanceof Error) || !cannotBeReplaced(error.cause)) throw error;
    await client.query("ROLLBACK TO SAVEPOINT before_file");
    for (const signature of before) await dropFunction(client, signature);
    await runScript(client, name, sql, name);
    return;
  }
  const after = await readSignatures(client, functions);
  if (after.length > functions.length) for (const signature of before) await dropFunction(client, signature);
}

/** Returns whether PostgreSQL requires that the function be dropped first (invalid_function_definition). */
const cannotBeReplaced = (cause: unknown): boolean =>
  cause instanceof pg.DatabaseError && cause.code === "42P13";

async function readSignatures(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>(
    `SELECT oid::regprocedure::text AS signature FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND proname = ANY ($1)`,
    [names],
  );
  return rows.map(({ signature }) => signature);
}

const dropFunction = (client: pg.Client, signature: string) => client.query(`DROP FUNCTION ${signature}`);
