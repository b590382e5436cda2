import type { Sandbox } from "./sandbox.js";
import { waitUntil } from "./wait-until.js";

export const waitForLockContention = ({ database: { pool } }: Pick<Sandbox, "database">): Promise<unknown> =>
  waitUntil(
    "a statement waits for a lock",
    async () => {
      const { rowCount } = await pool.query(
        `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE NOT l.granted AND a.datid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rowCount !== null && rowCount > 0;
    },
    20_000,
  );
