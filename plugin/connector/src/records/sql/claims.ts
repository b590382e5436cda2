import type { Claims } from "../records.js";
import { type Database, inMs } from "./database.js";

export function sqlClaims(database: Database): Claims {
  const { db, now } = database;
  return {
    async take(name, forMs) {
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
    async keep(name, token, forMs) {
      // An expired claim that nobody took over is still ours.
      const { numUpdatedRows } = await db
        .updateTable("claims")
        .set({ expires_at: inMs(database, forMs) })
        .where("name", "=", name)
        .where("token", "=", token)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async release(name, token) {
      await db.deleteFrom("claims").where("name", "=", name).where("token", "=", token).execute();
    },
  };
}
