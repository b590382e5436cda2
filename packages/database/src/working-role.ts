import { type Queryable, queryOneRow } from "@tillgate/service";
import { z } from "zod";

const EXCESS = `
  SELECT array_remove(ARRAY[
    CASE WHEN rolsuper THEN 'is a superuser' END,
    CASE WHEN EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace
        AND pg_has_role(current_user, relowner, 'USAGE')) THEN 'owns tables, or may act as their owner' END,
    CASE WHEN has_schema_privilege('public', 'CREATE') OR has_database_privilege(current_database(), 'CREATE')
      THEN 'may create tables and functions' END,
    CASE WHEN has_database_privilege(current_database(), 'TEMPORARY')
      THEN 'may create temporary tables, which take precedence over the ledger''s tables' END], NULL) AS excess
  FROM pg_roles WHERE rolname = current_user`;

const excessSchema = z.object({ excess: z.array(z.string()) });

/** Lists rights with which anyone who knows the role's password could bypass the ledger's checks. @returns phrases that follow "the role …". */
export async function findExcessRights(pool: Queryable): Promise<string[]> {
  return (await queryOneRow(pool, excessSchema, EXCESS)).excess;
}
