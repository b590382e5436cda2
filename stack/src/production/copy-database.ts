import { withConnection } from "@tillgate/migrate";
import { queryOneRow, queryRows } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";

const TABLES = `
  SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  GROUP BY c.relname ORDER BY c.relname`;
const tableSchema = z.object({ name: z.string(), columns: z.string() });

const SEQUENCES = `
  SELECT quote_ident(sequencename) AS name, last_value::text AS "lastValue" FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`;
const sequenceSchema = z.object({ name: z.string(), lastValue: z.string() });

const NEXT_NUMBER = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next";
const nextSchema = z.object({ next: z.string() });

/**
 * Copies all rows in one transaction into a database with the same schema, then advances the new server's transaction IDs to those of the old server.
 * Both servers must be otherwise idle.
 * @param from superuser URL of the old database.
 * @param to superuser URL of the new database; its rows are replaced.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await withConnection({ connectionString: to }, async (client) => {
    const old = await withConnection({ connectionString: from }, async (source) => ({
      sequences: await queryRows(source, sequenceSchema, SEQUENCES),
      next: BigInt((await queryOneRow(source, nextSchema, NEXT_NUMBER)).next),
    }));
    await client.query("BEGIN");
    await linkDatabase(client, new URL(from));
    // Triggers and foreign keys have checked these rows already, and would change some of them.
    await client.query("SET LOCAL session_replication_role = replica");
    const tables = await queryRows(client, tableSchema, TABLES);
    await client.query(`TRUNCATE ${tables.map(({ name }) => `"${name}"`).join(", ")}`);
    for (const { name, columns } of tables)
      await client.query(
        `INSERT INTO "${name}" (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM upgraded_from."${name}"`,
      );
    for (const { name, lastValue } of old.sequences)
      await client.query("SELECT setval($1::regclass, $2::bigint)", [name, lastValue]);
    await client.query("DROP SCHEMA upgraded_from CASCADE; DROP EXTENSION postgres_fdw CASCADE");
    await client.query("COMMIT");
    await client.query("ANALYZE");
    await advanceTransactionNumbers(client, old.next);
  });
}

/** Makes the old database's tables readable in the schema `upgraded_from`. */
async function linkDatabase(client: pg.Client, from: URL): Promise<void> {
  const { host, port, database, user, password } = {
    host: client.escapeLiteral(from.hostname),
    port: client.escapeLiteral(from.port),
    database: client.escapeLiteral(decodeURIComponent(from.pathname.slice(1))),
    user: client.escapeLiteral(decodeURIComponent(from.username)),
    password: client.escapeLiteral(decodeURIComponent(from.password)),
  };
  await client.query(`
    CREATE EXTENSION postgres_fdw;
    CREATE SERVER upgraded_from FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host ${host}, port ${port}, dbname ${database}, fetch_size '10000');
    CREATE USER MAPPING FOR CURRENT_USER SERVER upgraded_from OPTIONS (user ${user}, password ${password});
    CREATE SCHEMA upgraded_from;
    IMPORT FOREIGN SCHEMA public FROM SERVER upgraded_from INTO upgraded_from`);
}

/**
 * Consumes transaction IDs up to the old database's next ID. The IDs are positions in `GET /events`, and readers have already passed the lower IDs.
 */
async function advanceTransactionNumbers(client: pg.Client, until: bigint): Promise<void> {
  // Otherwise every commit would wait for the disk.
  await client.query("SET synchronous_commit = off");
  await client.query(
    `DO $$ BEGIN WHILE pg_current_xact_id()::text::bigint < ${until - 1n} LOOP COMMIT; END LOOP; END $$`,
  );
}
