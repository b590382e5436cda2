import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { MigrationError } from "./migration-error.js";
import { runScript } from "./run-script.js";

/**
 * Databases from before the baseline. Their migrations had names made from the clock (14 digits), and the program no longer
 * has them. What each of them did to the tables is kept as `folder/<name>.sql`.
 */
export type EarlierOptions = {
  folder: string;
  /** A database that does not have it is too old. */
  oldest: string;
  /** The last of them. */
  newest: string;
  /** The numbered migration that has the tables of a database with all of them applied. */
  baseline: string;
};

export const isEarlierName = ({ newest }: EarlierOptions, name: string): boolean =>
  /^\d{14}_/.test(name) && name <= newest;

/**
 * Brings the tables of an earlier database to the baseline.
 * @param isDefined whether definitions put the present functions, triggers and checks in place in the same transaction:
 * then those of the database are dropped first
 * @returns the names of the steps that were missing.
 */
export async function bringFromEarlier(
  client: pg.Client,
  options: EarlierOptions,
  recorded: ReadonlySet<string>,
  isDefined: boolean,
): Promise<string[]> {
  if (!recorded.has(options.oldest)) {
    const message = `This database is older than ${options.oldest} and cannot be brought up to date any more.`;
    throw new MigrationError("too_old", message);
  }
  if (isDefined) await dropRules(client);
  const missing = stepsIn(options.folder).filter((name) => !recorded.has(name));
  for (const name of missing) {
    const sql = readFileSync(path.join(options.folder, `${name}.sql`), "utf8");
    await runScript(client, `Migration ${name}`, sql, name);
  }
  await client.query("DELETE FROM _prisma_migrations WHERE migration_name ~ '^[0-9]{14}_'");
  return missing;
}

function stepsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(".sql"))
      .map((file) => file.slice(0, -".sql".length))
      .sort();
  } catch (cause) {
    throw new MigrationError("unreadable", `The folder ${folder} cannot be read.`, undefined, { cause });
  }
}

/** All functions of the schema (triggers go with them) but an extension's, and all checks of its tables. */
async function dropRules(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    SELECT format('DROP FUNCTION %s CASCADE', p.oid::regprocedure) AS statement FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    UNION ALL
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) FROM pg_constraint c
    WHERE c.connamespace = current_schema()::regnamespace AND c.contype = 'c' AND c.conrelid <> 0`);
  for (const { statement } of rows) await client.query(statement);
}
