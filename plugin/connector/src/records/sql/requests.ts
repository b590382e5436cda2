import { z } from "zod";
import type { Requests } from "../records.js";
import { wholeNumber } from "./columns.js";
import type { SqlDatabase } from "./sql-database.js";

const countSchema = z.object({ count: wholeNumber, left_ms: z.coerce.number() });

export function sqlRequests({ query, now, span, milliseconds }: SqlDatabase): Requests {
  const isOver = `requests.ends_at <= ${now}`;
  return {
    async count(name, windowMs) {
      const [row] = await query(
        `INSERT INTO requests (name, count, ends_at) VALUES ($1, 1, ${now} + ${span("$2")})
         ON CONFLICT (name) DO UPDATE SET
           count = CASE WHEN ${isOver} THEN 1 ELSE requests.count + 1 END,
           ends_at = CASE WHEN ${isOver} THEN excluded.ends_at ELSE requests.ends_at END
         RETURNING count, ${milliseconds(`ends_at - ${now}`)} AS left_ms`,
        [name, windowMs],
      );
      const { count, left_ms } = countSchema.parse(row);
      return { count, leftMs: left_ms };
    },
    async prune() {
      await query(`DELETE FROM requests WHERE ends_at <= ${now}`);
    },
  };
}
