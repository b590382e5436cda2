import { oneRowOf, type Queryable } from "@tillgate/service";
import { z } from "zod";

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

const excessSchema = z.object({ excess: z.array(z.string()) });

/**
 * The rights of this connection's role beyond working in the tables. With any of them, a holder of its password can bypass
 * the checks that the books rest on. The migrator gives the api's role none of them (`grantWorker` in packages/migrate).
 * @returns in words, after "the role …"; empty when the role only works.
 */
export async function excessRights(pool: Queryable): Promise<string[]> {
  return (await oneRowOf(pool, excessSchema, EXCESS)).excess;
}
