import { rowsOf } from "@tillgate/service";
import type { Pool } from "pg";
import { z } from "zod";

/** What is read: rows of a table that has `id` and `created_at`, and whose index has both after what `where` asks. */
type Asked = {
  table: "deliveries" | "replays";
  /** In SQL, with `$1`, `$2` … for the values. A status stands in it as it is: an index of one status serves no parameter. */
  where: string;
  values: readonly unknown[];
  /** The id of the row behind which the page begins, which is one of the table's; left out: at the newest. */
  before?: string | undefined;
  most: number;
};

const idSchema = z.object({ id: z.string() });

/**
 * The ids of a page, newest first. Places are compared within the database: its times are finer than a `Date`, which would leave out rows
 * of the same millisecond.
 */
export async function idsByTime(
  pool: Pool,
  { table, where, values, before, most }: Asked,
): Promise<string[]> {
  const [limit, place] = [values.length + 1, values.length + 2];
  const behind =
    before === undefined
      ? ""
      : `AND (created_at, id) < (SELECT created_at, id FROM ${table} WHERE id = $${place})`;
  const rows = await rowsOf(
    pool,
    idSchema,
    `SELECT id FROM ${table} WHERE ${where} ${behind} ORDER BY created_at DESC, id DESC LIMIT $${limit}`,
    [...values, most, ...(before === undefined ? [] : [before])],
  );
  return rows.map(({ id }) => id);
}
