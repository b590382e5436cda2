import { z } from "zod";
import type { Cursors } from "../records.js";
import type { SqlDatabase } from "./sql-database.js";

const rowSchema = z.object({ value: z.string() });

export function sqlCursors({ query }: SqlDatabase): Cursors {
  return {
    async read(storeId, name) {
      const [row] = await query("SELECT value FROM cursors WHERE store_id = $1 AND name = $2", [
        storeId,
        name,
      ]);
      return row === undefined ? null : rowSchema.parse(row).value;
    },
    async write(storeId, name, value) {
      await query(
        `INSERT INTO cursors (store_id, name, value) VALUES ($1, $2, $3)
         ON CONFLICT (store_id, name) DO UPDATE SET value = excluded.value`,
        [storeId, name, value],
      );
    },
  };
}
