import { z } from "zod";
import type { HealthRecords } from "../records.js";
import { time, wholeNumber } from "./columns.js";
import type { SqlDatabase } from "./sql-database.js";

const reportSchema = z
  .object({ name: z.string(), value: z.string(), reported_at: time, age_ms: z.coerce.number() })
  .transform(({ name, value, reported_at, age_ms }) => ({
    name,
    value,
    reportedAt: reported_at,
    ageMs: age_ms,
  }));

const problemSchema = z
  .object({
    kind: z.string(),
    subject: z.string(),
    store_order_id: wholeNumber.nullable(),
    text: z.string(),
    times: wholeNumber,
    first_at: time,
    last_at: time,
  })
  .transform(({ store_order_id, first_at, last_at, ...problem }) => ({
    ...problem,
    storeOrderId: store_order_id,
    firstAt: first_at,
    lastAt: last_at,
  }));

const countSchema = z.object({ kind: z.string(), problems: wholeNumber });

export function sqlHealth({ query, now, span, milliseconds }: SqlDatabase): HealthRecords {
  return {
    async report(storeId, name, value) {
      await query(
        `INSERT INTO reports (store_id, name, value, reported_at) VALUES ($1, $2, $3, ${now})
         ON CONFLICT (store_id, name) DO UPDATE SET value = excluded.value, reported_at = excluded.reported_at`,
        [storeId, name, value],
      );
    },
    async reports(storeId) {
      const rows = await query(
        `SELECT name, value, reported_at, ${milliseconds(`${now} - reported_at`)} AS age_ms
         FROM reports WHERE store_id = $1`,
        [storeId],
      );
      return rows.map((row) => reportSchema.parse(row));
    },
    async raise(storeId, { kind, subject, storeOrderId, text }) {
      await query(
        `INSERT INTO problems (store_id, kind, subject, store_order_id, text, first_at, last_at)
         VALUES ($1, $2, $3, $4, $5, ${now}, ${now})
         ON CONFLICT (store_id, kind, subject) DO UPDATE
           SET text = excluded.text, times = problems.times + 1, last_at = excluded.last_at`,
        [storeId, kind, subject, storeOrderId, text],
      );
    },
    async settle(storeId, kind, subject) {
      await query("DELETE FROM problems WHERE store_id = $1 AND kind = $2 AND subject = $3", [
        storeId,
        kind,
        subject,
      ]);
    },
    async problems(storeId, limit) {
      const rows = await query(
        `SELECT kind, subject, store_order_id, text, times, first_at, last_at FROM problems
         WHERE store_id = $1 ORDER BY last_at DESC, kind, subject LIMIT $2`,
        [storeId, limit],
      );
      return rows.map((row) => problemSchema.parse(row));
    },
    async countProblems(storeId) {
      const rows = await query(
        "SELECT kind, count(*) AS problems FROM problems WHERE store_id = $1 GROUP BY kind",
        [storeId],
      );
      return new Map(
        rows.map((row) => {
          const { kind, problems } = countSchema.parse(row);
          return [kind, problems];
        }),
      );
    },
    async prune(storeId, olderThanMs) {
      await query(`DELETE FROM problems WHERE store_id = $1 AND last_at < ${now} - ${span("$2")}`, [
        storeId,
        olderThanMs,
      ]);
    },
  };
}
