import pg from "pg";
import { expect } from "vitest";
import type { Load } from "./load.js";
import type { System } from "./system.js";

/** That each answer is in the books exactly once, and no cent more or less. */
export async function expectBooksOf(system: System, load: Load, opening: bigint): Promise<void> {
  const { orders, refunds, payouts } = load.references;
  expect(await notOnce(system, "orders", orders)).toEqual([]);
  expect(await notOnce(system, "refunds", refunds)).toEqual([]);
  expect(await notOnce(system, "payouts", payouts)).toEqual([]);
  const { paid, refunded, paidOut } = load.known;
  expect(await merchantBalance(system)).toBe(opening + paid - refunded - paidOut);
}

/** @returns references that have not exactly one row. */
const notOnce = (
  system: System,
  table: "orders" | "refunds" | "payouts",
  references: string[],
): Promise<unknown[]> =>
  query(
    system,
    `SELECT asked, count(t.id) FROM unnest($1::text[]) asked LEFT JOIN ${table} t ON t.reference = asked
     GROUP BY asked HAVING count(t.id) <> 1`,
    [references],
  );

/** What the merchant has, in cents. */
export async function merchantBalance(system: System): Promise<bigint> {
  const [row] = await query<{ balance: string }>(
    system,
    `SELECT a.balance FROM accounts a JOIN credentials c USING (merchant_id)
     WHERE c.client_id = $1 AND a.mode = 'sandbox' AND a.currency = 'EUR' AND a.kind = 'merchant'`,
    [system.access.merchant.client_id],
  );
  return BigInt(row?.balance ?? "");
}

export async function query<Row extends pg.QueryResultRow>(
  { databaseUrl }: System,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
