import { type Database, inMs } from "./database.js";

/** Insert-wins claims: at any time one holder of a name, and none for longer than it asked for without keeping it. */
export function sqlClaims(database: Database) {
  const { db, now } = database;
  return {
    /** @returns the token of the new claim, or null where another holds the name */
    async take(name: string, forMs: number): Promise<string | null> {
      // The row's own lock makes two at the same instant one winner; an expired claim is taken over.
      const row = await db
        .insertInto("claims")
        .values({ name, token: crypto.randomUUID(), expires_at: inMs(database, forMs) })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet(({ ref }) => ({
              token: ref("excluded.token"),
              expires_at: ref("excluded.expires_at"),
            }))
            .where("claims.expires_at", "<=", now),
        )
        .returning("token")
        .executeTakeFirst();
      return row?.token ?? null;
    },
    /** Starts the time of a claim again. @returns false where it is not ours any more */
    async keep(name: string, token: string, forMs: number): Promise<boolean> {
      // An expired claim that nobody took over is still ours.
      const { numUpdatedRows } = await db
        .updateTable("claims")
        .set({ expires_at: inMs(database, forMs) })
        .where("name", "=", name)
        .where("token", "=", token)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async release(name: string, token: string): Promise<void> {
      await db.deleteFrom("claims").where("name", "=", name).where("token", "=", token).execute();
    },
  };
}
