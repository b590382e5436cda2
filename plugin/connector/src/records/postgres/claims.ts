import type { Pool } from "pg";
import type { Claims } from "../records.js";

const milliseconds = "$3::double precision * interval '1 millisecond'";

export function postgresClaims(pool: Pool): Claims {
  return {
    async take(name, forMs) {
      // The row's own lock makes two at the same instant one winner; an expired claim is taken over.
      const { rows } = await pool.query<{ token: string }>(
        `INSERT INTO claims (name, token, expires_at) VALUES ($1, $2::uuid, clock_timestamp() + ${milliseconds})
         ON CONFLICT (name) DO UPDATE SET token = excluded.token, expires_at = excluded.expires_at
           WHERE claims.expires_at <= clock_timestamp()
         RETURNING token`,
        [name, crypto.randomUUID(), forMs],
      );
      return rows[0]?.token ?? null;
    },
    async keep(name, token, forMs) {
      // An expired claim that nobody took over is still ours.
      const { rowCount } = await pool.query(
        `UPDATE claims SET expires_at = clock_timestamp() + ${milliseconds} WHERE name = $1 AND token = $2::uuid`,
        [name, token, forMs],
      );
      return rowCount === 1;
    },
    async release(name, token) {
      await pool.query("DELETE FROM claims WHERE name = $1 AND token = $2::uuid", [name, token]);
    },
  };
}
