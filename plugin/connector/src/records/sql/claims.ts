import { z } from "zod";
import type { Claims } from "../records.js";
import type { SqlDatabase } from "./sql-database.js";

const rowSchema = z.object({ token: z.string() });

export function sqlClaims({ query, now, span }: SqlDatabase): Claims {
  return {
    async take(name, forMs) {
      // The row's own lock makes two at the same instant one winner; an expired claim is taken over.
      const [row] = await query(
        `INSERT INTO claims (name, token, expires_at) VALUES ($1, $2, ${now} + ${span("$3")})
         ON CONFLICT (name) DO UPDATE SET token = excluded.token, expires_at = excluded.expires_at
           WHERE claims.expires_at <= ${now}
         RETURNING token`,
        [name, crypto.randomUUID(), forMs],
      );
      return row === undefined ? null : rowSchema.parse(row).token;
    },
    async keep(name, token, forMs) {
      // An expired claim that nobody took over is still ours.
      const rows = await query(
        `UPDATE claims SET expires_at = ${now} + ${span("$3")} WHERE name = $1 AND token = $2 RETURNING token`,
        [name, token, forMs],
      );
      return rows.length === 1;
    },
    async release(name, token) {
      await query("DELETE FROM claims WHERE name = $1 AND token = $2", [name, token]);
    },
  };
}
