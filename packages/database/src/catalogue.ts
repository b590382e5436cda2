import { withConnection } from "@tillgate/migrate";
import { queryRows } from "@tillgate/service";
import { z } from "zod";

/** Definitions as PostgreSQL prints them, by object kind and name. */
export type Catalogue = ReadonlyMap<string, string>;

/** The query ignores column order, constraint IDs and owners, and includes everything that restricts writes. */
const OBJECTS = `
  SELECT 'type ' || typname AS object,
      coalesce((SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumlabel) FROM pg_enum WHERE enumtypid = t.oid),
        (SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute
         WHERE attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped)) AS definition
    FROM pg_type t WHERE typnamespace = 'public'::regnamespace
      AND (typtype = 'e' OR (typtype = 'c' AND (SELECT relkind FROM pg_class WHERE oid = typrelid) = 'c'))
  UNION ALL
  SELECT 'table ' || relname, format('%s, row security %s', CASE relpersistence WHEN 'u' THEN 'unlogged' ELSE 'logged' END, relrowsecurity)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
  UNION ALL
  SELECT format('column %s.%s', c.relname, a.attname), concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN 'not null' END, 'default ' || pg_get_expr(d.adbin, d.adrelid),
      nullif(a.attidentity::text, ''), nullif(a.attgenerated::text, ''))
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
  UNION ALL
  SELECT format('constraint %s.%s', conrelid::regclass, conname), concat_ws(' ', pg_get_constraintdef(oid), CASE WHEN NOT convalidated THEN 'not validated' END)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0 AND contype NOT IN ('t', 'n')
  UNION ALL
  SELECT 'index ' || c.relname, concat_ws(' ', pg_get_indexdef(c.oid), CASE WHEN NOT i.indisvalid THEN 'invalid' END)
    FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid) FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = p.oid AND e.deptype = 'e')
  UNION ALL
  SELECT format('trigger %s.%s', tgrelid::regclass, tgname),
      pg_get_triggerdef(oid) || CASE tgenabled WHEN 'O' THEN '' WHEN 'D' THEN ' disabled' ELSE ' fires as ' || tgenabled::text END
    FROM pg_trigger WHERE NOT tgisinternal AND (SELECT relnamespace FROM pg_class WHERE oid = tgrelid) = 'public'::regnamespace
  UNION ALL
  SELECT 'key triggers of ' || c.relname, 'disabled' FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgisinternal AND tgenabled <> 'O')
  UNION ALL
  SELECT format('grant on %s to %s', name, grantee), string_agg(privilege_type, ', ' ORDER BY privilege_type) FROM (
    SELECT 'table ' || c.relname AS name, c.relowner AS owner, acl.* FROM pg_class c, aclexplode(c.relacl) acl
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
    UNION ALL
    SELECT format('column %s.%s', c.relname, a.attname), c.relowner, acl.* FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid, aclexplode(a.attacl) acl
      WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'function ' || p.oid::regprocedure, p.proowner, acl.* FROM pg_proc p, aclexplode(p.proacl) acl
      WHERE p.pronamespace = 'public'::regnamespace) granted (name, owner, grantor, grantee_id, privilege_type, grantable),
    LATERAL (SELECT CASE grantee_id WHEN 0 THEN 'everybody' WHEN owner THEN NULL ELSE pg_get_userbyid(grantee_id)::text END) to_whom (grantee)
    WHERE grantee IS NOT NULL GROUP BY name, grantee`;

const objectSchema = z.object({ object: z.string(), definition: z.string().nullable() });

/** Reads the definitions of a database's objects, except those of the migrator's own tables. */
export async function readCatalogue(databaseUrl: string): Promise<Catalogue> {
  return await withConnection({ connectionString: databaseUrl }, async (client) => {
    const rows = await queryRows(client, objectSchema, OBJECTS);
    const ownRows = rows.filter(({ object }) => !/\b(_prisma_migrations|_definitions)(_|\b)/.test(object));
    return new Map(ownRows.map(({ object, definition }) => [object, definition ?? ""]));
  });
}

/** @returns one line per missing, extra or different object. */
export function compareCatalogues(intended: Catalogue, found: Catalogue): string[] {
  const differences: string[] = [];
  for (const [object, definition] of intended) {
    const counterpart = found.get(object);
    if (counterpart === undefined) differences.push(`${object} is missing`);
    else if (counterpart !== definition)
      differences.push(`${object} differs: ${findFirstDifference(definition, counterpart)}`);
  }
  for (const object of found.keys())
    if (!intended.has(object))
      differences.push(`${object} is not defined in any file: ${found.get(object)?.split("\n")[0]}`);
  return differences.sort();
}

function findFirstDifference(intended: string, found: string): string {
  const [expected, actual] = [intended.split("\n"), found.split("\n")];
  const line = actual.findIndex((text, at) => text !== expected[at]);
  return line === -1
    ? "it ends early"
    : `"${actual[line]?.trim()}" instead of "${expected[line]?.trim() ?? ""}"`;
}
