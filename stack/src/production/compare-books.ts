import { withConnection } from "@tillgate/migrate";
import { queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";

/** The API's database on the embedded server. */
export const DATABASE = "tillgate";

/** The running database. Its books from before `settledBefore` no longer change. */
export type RunningBooks = {
  /** Superuser URL, a secret because it contains the password. */
  url: string;
  settledBefore: Date;
};

// Rows are dated with the clock, so a transaction's rows are not older than its start.
const SETTLED_BEFORE = `
  SELECT date_trunc('milliseconds', coalesce(min(xact_start), clock_timestamp())) AS "settledBefore"
  FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Reads the time before which the running books no longer change. @param url superuser URL of the running database. */
export const readRunningBooks = (url: string): Promise<RunningBooks> =>
  withConnection({ connectionString: url }, async (client) => ({
    url,
    ...(await queryOneRow(client, z.object({ settledBefore: z.date() }), SETTLED_BEFORE)),
  }));

const totalSchema = z.object({ subject: z.string(), rows: z.string(), amount: z.string() });

/** Counts rows that are never deleted, and sums amounts that never change. */
const TOTALS = `
  SELECT 'transfers' AS subject, count(*)::text AS rows, '0' AS amount FROM transfers WHERE created_at < $1
  UNION ALL SELECT 'entries in ' || e.currency, count(*)::text, sum(abs(e.amount))::text FROM entries e JOIN transfers t ON t.id = e.transfer_id
    WHERE t.created_at < $1 GROUP BY e.currency
  UNION ALL SELECT 'payments in ' || currency, count(*)::text, sum(amount)::text FROM orders WHERE paid_at < $1 GROUP BY currency
  UNION ALL SELECT 'refunds', count(*)::text, coalesce(sum(amount), 0)::text FROM refunds WHERE created_at < $1
  UNION ALL SELECT 'payouts in ' || sender_currency, count(*)::text, sum(amount)::text FROM payouts WHERE created_at < $1 GROUP BY sender_currency`;

async function readTotals(url: string, before: Date): Promise<Map<string, string>> {
  return await withConnection({ connectionString: url }, async (client) => {
    const totals = await queryRows(client, totalSchema, TOTALS, [before]);
    return new Map(totals.map(({ subject, rows, amount }) => [subject, `${rows} (sum ${amount})`]));
  });
}

/** Compares only rows dated before `settledBefore`. @returns one line per subject whose row count or sum differs. */
export async function compareBooks(
  { url, settledBefore }: RunningBooks,
  restoredUrl: string,
): Promise<string[]> {
  const running = await readTotals(url, settledBefore);
  const restored = await readTotals(restoredUrl, settledBefore);
  return [...new Set([...running.keys(), ...restored.keys()])]
    .filter((subject) => running.get(subject) !== restored.get(subject))
    .map(
      (subject) =>
        `The running database has ${running.get(subject) ?? "no"} ${subject}, but the restored one has ${restored.get(subject) ?? "none"}`,
    );
}
