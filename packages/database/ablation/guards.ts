import { readdirSync } from "node:fs";
import path from "node:path";
import type { ClientBase } from "pg";
import { z } from "zod";
import { findFunctionGuards } from "./function-guards.js";
import type { Guard } from "./guard.js";

/** Subjects of `src/functions` that move money, or record who moved it. */
const LEDGER_SUBJECTS = [
  "audit",
  "conversions",
  "events",
  "funds",
  "ledger",
  "orders",
  "payments",
  "payouts",
  "refunds",
];

/** Accepts every row, in place of a trigger's function. If the trigger were dropped, a test of the names of triggers could fail first. */
const INERT_FUNCTION = `CREATE FUNCTION inert() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN IF TG_OP = ''DELETE'' THEN RETURN OLD; END IF; RETURN NEW; END'`;

const TRIGGERS = `
  SELECT 'trigger' AS kind, format('%s.%s', tgrelid::regclass, tgname) AS name, tgrelid::regclass::text AS "of", tgfoid::regproc::text AS calls,
    regexp_replace(pg_get_triggerdef(t.oid), '^CREATE (CONSTRAINT )?TRIGGER \\S+ ', '') AS holds,
    format('DROP TRIGGER %I ON %s; ${INERT_FUNCTION.replaceAll("'", "''")}; %s', tgname, tgrelid::regclass,
      regexp_replace(pg_get_triggerdef(t.oid), 'EXECUTE FUNCTION .*$', 'EXECUTE FUNCTION inert()')) AS ablation
  FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
  WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace`;

const CONSTRAINTS = `
  SELECT CASE contype WHEN 'c' THEN 'check' ELSE 'foreign key' END, format('%s.%s', conrelid::regclass, conname), conrelid::regclass::text, NULL,
    pg_get_constraintdef(oid), format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
  FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conrelid <> 0 AND contype IN ('c', 'f') AND conrelid::regclass::text NOT LIKE '\\_%'`;

/**
 * Lists unique indexes, except composite keys such as `(id, mode)`, which the primary key makes unique. The ablation replaces an index with a plain
 * index, to keep the query plans unchanged.
 */
const UNIQUE_INDEXES = `
  SELECT 'unique index', format('%s.%s', i.indrelid::regclass, c.relname), i.indrelid::regclass::text, NULL,
    regexp_replace(pg_get_indexdef(c.oid), '^CREATE UNIQUE INDEX \\S+ ON \\S+ USING \\w+ ', ''),
    format('DROP INDEX %I CASCADE; %s', c.relname, replace(pg_get_indexdef(c.oid), 'CREATE UNIQUE INDEX', 'CREATE INDEX'))
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  LEFT JOIN pg_index p ON p.indrelid = i.indrelid AND p.indisprimary
  WHERE c.relnamespace = 'public'::regnamespace AND i.indisunique AND NOT i.indisprimary
    AND NOT (p.indkey::int2[] <@ i.indkey::int2[])`;

const guardSchema = z.object({
  kind: z.enum(["trigger", "check", "foreign key", "unique index"]),
  name: z.string(),
  of: z.string(),
  calls: z.string().nullable(),
  holds: z.string(),
  ablation: z.string(),
});
const functionSchema = z.object({ name: z.string(), definition: z.string() });

/**
 * Lists the triggers, checks, foreign keys and unique indexes of all tables, and the row locks, conditions and comparisons of the ledger's
 * functions.
 */
export async function listGuards(client: ClientBase): Promise<Guard[]> {
  const { rows } = await client.query(
    `${TRIGGERS} UNION ALL ${CONSTRAINTS} UNION ALL ${UNIQUE_INDEXES} ORDER BY 1, 2`,
  );
  const ofLedger = listLedgerFunctions();
  const functions = await listFunctions(client);
  const inFunctions = functions.filter(({ name }) => ofLedger.includes(name)).flatMap(findFunctionGuards);
  const guards: Guard[] = z.array(guardSchema).parse(rows);
  for (const guard of inFunctions) if (await canBeApplied(client, guard.ablation)) guards.push(guard);
  return guards;
}

export async function listFunctions(client: ClientBase): Promise<z.infer<typeof functionSchema>[]> {
  const { rows } = await client.query(
    `SELECT proname AS name, pg_get_functiondef(oid) AS definition FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' ORDER BY proname, oid`,
  );
  return z.array(functionSchema).parse(rows);
}

/** Lists the functions of {@link LEDGER_SUBJECTS}. A file is named like its function. */
const listLedgerFunctions = (): string[] =>
  LEDGER_SUBJECTS.flatMap((subject) =>
    readdirSync(path.join(import.meta.dirname, "../src/functions", subject)).map((file) =>
      file.replace(".sql", "").replaceAll("-", "_"),
    ),
  );

/** Returns whether PostgreSQL accepts a changed function. The parser is not exact and may change something other than a condition. */
async function canBeApplied(client: ClientBase, sql: string): Promise<boolean> {
  try {
    await client.query(`BEGIN; ${sql}; ROLLBACK`);
    return true;
  } catch {
    await client.query("ROLLBACK");
    return false;
  }
}
