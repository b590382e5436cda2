import pg from "pg";

/** The migrator's own tables, which a worker may only read. */
const RECORDS = ["_prisma_migrations", "_definitions"];

/** Columns, keyed by table, that only defaults and triggers fill. */
export type FilledColumns = Readonly<Record<string, readonly string[]>>;

/**
 * Lets a role read and write rows and call functions, but not alter tables, disable triggers or replace functions, because it owns none of them.
 * It cannot create tables. If the caller owns the database, the role also cannot create temporary tables, because these could shadow tables
 * used in functions.
 * @param filled columns that the role must not set on insert.
 * @throws Error for a column that does not exist.
 */
export async function grantWorker(client: pg.Client, role: string, filled: FilledColumns): Promise<void> {
  const worker = pg.escapeIdentifier(role);
  const { rows } = await client.query<{ database: string; owns: boolean; schema: string; others: string[] }>(
    `SELECT current_database() AS database, pg_has_role(current_user, datdba, 'USAGE') AS owns, current_schema() AS schema,
       ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace
         AND relkind IN ('r', 'p') AND relname <> ALL ($1)) AS others
     FROM pg_database WHERE datname = current_database()`,
    [RECORDS],
  );
  const row = rows[0];
  if (!row) throw new Error("pg_database has no row for current_database()");
  const [database, schema] = [pg.escapeIdentifier(row.database), pg.escapeIdentifier(row.schema)];
  if (row.owns) {
    await client.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM PUBLIC, ${worker}`);
    await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${worker}`);
  }
  await client.query(`REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC, ${worker}`);
  await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${worker}`);
  await client.query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC, ${worker}`);
  const quoteTables = (names: readonly string[]) => names.map((name) => pg.escapeIdentifier(name)).join(", ");
  if (row.others.length > 0)
    await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${quoteTables(row.others)} TO ${worker}`);
  for (const [table, columns] of Object.entries(filled)) {
    const named = await readColumns(client, table);
    const missing = columns.filter((column) => !named.includes(column));
    if (missing.length > 0) throw new Error(`${table} has no column ${missing.join(", ")}`);
    const insertable = named
      .filter((column) => !columns.includes(column))
      .map((name) => pg.escapeIdentifier(name));
    await client.query(`REVOKE INSERT ON ${quoteTables([table])} FROM ${worker}`);
    await client.query(`GRANT INSERT (${insertable.join(", ")}) ON ${quoteTables([table])} TO ${worker}`);
  }
  await client.query(`GRANT SELECT ON ${quoteTables(RECORDS)} TO ${worker}`);
  await client.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${worker}`);
}

async function readColumns(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [pg.escapeIdentifier(table)],
  );
  return rows.map(({ name }) => name);
}
