import { webhookEventSchema } from "@tillgate/contract";
import { expect } from "vitest";
import type { Sandbox } from "./sandbox.js";

const TABLES = [
  "orders",
  "refunds",
  "events",
  "deliveries",
  "idempotency_keys",
  "transfers",
  "entries",
  "quotes",
  "shopper_quotes",
  "payouts",
  "payout_usage",
  "wallet_passkeys",
  "payment_confirmations",
] as const;

export async function countRows({ database }: Sandbox): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<Record<string, bigint>>(
    `SELECT ${TABLES.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(", ")}`,
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([table, count]) => [table, Number(count)]));
}

/** Runs `work`, and expects it to leave the row counts of `TABLES` unchanged. */
export async function expectNoWrites<Value>(sandbox: Sandbox, work: () => Promise<Value>): Promise<Value> {
  const before = await countRows(sandbox);
  const value = await work();
  expect(await countRows(sandbox)).toEqual(before);
  return value;
}

export async function eventNamesOf({ database }: Sandbox, orderId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT name FROM events WHERE order_id = $1 ORDER BY created_at, id",
    [orderId],
  );
  return rows.map(({ name }) => name);
}

export async function expectValidEvents({ database }: Sandbox): Promise<void> {
  const { rows } = await database.pool.query<{ id: string; name: string; body: string }>(
    "SELECT id, name, body FROM events",
  );
  for (const { id, name, body } of rows) {
    const event: unknown = JSON.parse(body);
    expect(webhookEventSchema.parse(event)).toEqual(event);
    expect(event).toMatchObject({ id, event: name });
  }
}

/** Reads a wallet's balance in minor units. @param owner a client ID (the merchant's wallet in the credential's mode) or a shopper's e-mail */
export async function balanceOf({ database }: Sandbox, owner: string, currency = "EUR"): Promise<bigint> {
  const { rows } = await database.pool.query<{ balance: bigint }>(
    `SELECT balance FROM accounts a WHERE a.currency = $2 AND a.kind IN ('merchant', 'shopper') AND (
       (a.merchant_id, a.mode) = (SELECT merchant_id, mode FROM credentials WHERE client_id = $1)
       OR a.wallet_user_id = (SELECT id FROM wallet_users WHERE email = $1))`,
    [owner, currency],
  );
  const [row, ...more] = rows;
  if (!row || more.length > 0)
    throw new Error(`expected one ${currency} wallet of ${owner}, found ${rows.length}`);
  return row.balance;
}
