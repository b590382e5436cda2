import type { Pool } from "pg";
import type { Cursors } from "../records.js";

export function postgresCursors(pool: Pool): Cursors {
  return {
    async read(storeId) {
      const { rows } = await pool.query<{ modified_after: Date }>(
        "SELECT modified_after FROM cursors WHERE store_id = $1",
        [storeId],
      );
      return rows[0]?.modified_after ?? null;
    },
    async write(storeId, modifiedAfter) {
      await pool.query(
        `INSERT INTO cursors (store_id, modified_after) VALUES ($1, $2)
         ON CONFLICT (store_id) DO UPDATE SET modified_after = greatest(cursors.modified_after, excluded.modified_after)`,
        [storeId, modifiedAfter],
      );
    },
  };
}
