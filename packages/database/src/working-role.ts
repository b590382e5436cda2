import type pg from "pg";

const EXCESS = `
  SELECT array_remove(ARRAY[
    CASE WHEN rolsuper THEN 'is a superuser' END,
    CASE WHEN EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace
        AND pg_has_role(current_user, relowner, 'USAGE')) THEN 'owns tables, or may act as the role that does' END,
    CASE WHEN has_schema_privilege('public', 'CREATE') OR has_database_privilege(current_database(), 'CREATE')
      THEN 'may make tables and functions' END,
    CASE WHEN has_database_privilege(current_database(), 'TEMPORARY')
      THEN 'may make temporary tables, which are found before the books'' own' END], NULL) AS excess
  FROM pg_roles WHERE rolname = current_user`;

/**
 * What the role of this connection may do beyond working in the tables: with any of it, whoever has its password can pass by
 * the checks that the books rest on. The migrator lets the api's role do none of it (`letWork` in packages/migrate).
 * @returns in words, after "the role …"; empty when the role only works.
 */
export async function excessRights(pool: Pick<pg.Pool, "query">): Promise<string[]> {
  const { rows } = await pool.query<{ excess: string[] }>(EXCESS);
  return rows[0]?.excess ?? [];
}
