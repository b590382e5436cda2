import type { Database } from "./database.js";

export type CursorName = "changes" | "refunds";

/** How far something was read. */
export function sqlCursors({ db }: Database, storeId: string) {
  return {
    async read(name: CursorName): Promise<string | null> {
      const row = await db
        .selectFrom("cursors")
        .select("value")
        .where(({ and }) => and({ store_id: storeId, name }))
        .executeTakeFirst();
      return row?.value ?? null;
    },
    async write(name: CursorName, value: string): Promise<void> {
      await db
        .insertInto("cursors")
        .values({ store_id: storeId, name, value })
        .onConflict((conflict) => conflict.columns(["store_id", "name"]).doUpdateSet({ value }))
        .execute();
    },
  };
}
