import pg from "pg";
import { expect } from "vitest";
import type { Load } from "./load.js";
import type { System } from "./system.js";

/** Expects that every acknowledged operation is stored exactly once, and that the merchant's balance matches to the cent. */
export async function expectBooksToMatch(system: System, load: Load, opening: bigint): Promise<void> {
  const { orders, refunds, payouts } = load.references;
  expect(await findNotStoredOnce(system, "orders", orders)).toEqual([]);
  expect(await findNotStoredOnce(system, "refunds", refunds)).toEqual([]);
  expect(await findNotStoredOnce(system, "payouts", payouts)).toEqual([]);
  const { paid, refunded, paidOut } = load.acknowledged;
  expect(await merchantBalance(system)).toBe(opening + paid - refunded - paidOut);
}

/** @returns one row per reference that is not stored exactly once. */
const findNotStoredOnce = (
  system: System,
  table: "orders" | "refunds" | "payouts",
  references: string[],
): Promise<unknown[]> =>
  query(
    system,
    `SELECT sent.reference, count(t.id) FROM unnest($1::text[]) AS sent(reference) LEFT JOIN ${table} t ON t.reference = sent.reference
     GROUP BY sent.reference HAVING count(t.id) <> 1`,
    [references],
  );

/** Reads the balance of the merchant's EUR wallet in the sandbox, in cents. */
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
