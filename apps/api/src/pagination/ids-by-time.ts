import { queryRows } from "@tillgate/service";
import type { Pool } from "pg";
import { z } from "zod";

/** A table with `id` and `created_at`, and an index that has both after the columns of `where`. */
type PageOfIds = {
  table: "deliveries" | "replays";
  /** SQL with `$1`, `$2` … for the values. A status must be a literal, because a partial index of one status does not match a parameter. */
  where: string;
  values: readonly unknown[];
  /** ID of the row after which the list continues. It must exist in the table. Default: the list starts with the newest row. */
  before?: string | undefined;
  most: number;
};

const idSchema = z.object({ id: z.string() });

/** Lists IDs, newest first. Compares times in the database, because a `Date` has no microseconds and would skip rows of the same millisecond. */
export async function findIdsByTime(
  pool: Pool,
  { table, where, values, before, most }: PageOfIds,
): Promise<string[]> {
  const [limit, cursor] = [values.length + 1, values.length + 2];
  const afterCursor =
    before === undefined
      ? ""
      : `AND (created_at, id) < (SELECT created_at, id FROM ${table} WHERE id = $${cursor})`;
  const rows = await queryRows(
    pool,
    idSchema,
    `SELECT id FROM ${table} WHERE ${where} ${afterCursor} ORDER BY created_at DESC, id DESC LIMIT $${limit}`,
    [...values, most, ...(before === undefined ? [] : [before])],
  );
  return rows.map(({ id }) => id);
}
