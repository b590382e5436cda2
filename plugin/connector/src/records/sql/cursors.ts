import type { Cursors } from "../records.js";
import type { Database } from "./database.js";

export function sqlCursors({ db }: Database): Cursors {
  return {
    async read(storeId, name) {
      const row = await db
        .selectFrom("cursors")
        .select("value")
        .where(({ and }) => and({ store_id: storeId, name }))
        .executeTakeFirst();
      return row?.value ?? null;
    },
    async write(storeId, name, value) {
      await db
        .insertInto("cursors")
        .values({ store_id: storeId, name, value })
        .onConflict((conflict) => conflict.columns(["store_id", "name"]).doUpdateSet({ value }))
        .execute();
    },
  };
}
