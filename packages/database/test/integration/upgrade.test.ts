import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compareCatalogues, readCatalogue } from "../../src/catalogue.js";
import * as ledger from "../../src/ledger.js";
import { proveLedger } from "../../src/prove-ledger.js";
import { migrateDatabase } from "../../src/schema.js";
import { ADMINISTRATOR, callRow, hashOf, newRefundId, newTrxId } from "../ledger-calls.js";

/**
 * Databases as they were made before the baseline, one for each state that was in use, with orders in every state, refunds,
 * keys and deliveries; the later ones also with payouts and refunds that wait, and a payment in another currency.
 */
const STATES = path.join(import.meta.dirname, "earlier-states");

let name: string;
let url: string;
let client: pg.Client;

beforeEach(async () => {
  name = `upgrade_${randomBytes(6).toString("hex")}`;
  const address = new URL(adminUrl());
  await asAdministrator(`CREATE DATABASE ${name} OWNER tillgate`);
  address.pathname = `/${name}`;
  address.searchParams.set("options", "-c role=tillgate");
  url = address.href;
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await asAdministrator(`DROP DATABASE ${name} WITH (FORCE)`);
});

function adminUrl(): string {
  const address = process.env.TILLGATE_TEST_POSTGRES_URL;
  if (!address) throw new Error("TILLGATE_TEST_POSTGRES_URL is not set: run the tests from the root.");
  return address;
}

async function asAdministrator(sql: string): Promise<void> {
  const administrator = new pg.Client({ connectionString: adminUrl() });
  await administrator.connect();
  try {
    await administrator.query(sql);
  } finally {
    await administrator.end();
  }
}

const one = async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>> => {
  const { rows } = await client.query<Record<string, unknown>>(sql, values);
  if (rows[0] === undefined) throw new Error(`nothing came of ${sql}`);
  return rows[0];
};

const refund = (merchant: unknown, trxId: unknown, amount: bigint | null) =>
  callRow(client, ledger.refundPayment, {
    refundId: newRefundId(),
    merchantId: String(merchant),
    mode: "sandbox",
    trxId: String(trxId),
    amount,
    reason: null,
    reference: null,
    transferId: randomUUID(),
    idempotencyKey: null,
    requestHash: hashOf(String(amount)),
    metadata: null,
    credentialId: null,
    requestId: null,
  });

/** Reads an earlier state into the database, owned by the role that made it. */
async function load(file: string): Promise<void> {
  await client.query(readFileSync(path.join(STATES, file), "utf8"));
}

/** As a busy merchant's lists were counted: each total in two slots, neither of which is it. */
async function spreadOverSlots(): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    "SELECT table_name AS table FROM information_schema.columns WHERE column_name = 'slot' ORDER BY 1",
  );
  expect(rows[0]).toEqual({ table: "day_counts" });
  for (const { table } of rows)
    await client.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(c, jsonb_build_object('slot', (slot + 1) % 16, 'count', -5))).* FROM ${table} c;
       UPDATE ${table} SET count = count + 5 WHERE count > 0`,
    );
}

/** What must not change, whatever becomes of the tables around it. */
const KEPT = [
  "SELECT id, status, state, amount, refunded, refund_pending, version, paid_at, trx_id FROM orders ORDER BY id",
  "SELECT id, status, amount, transfer_id FROM refunds ORDER BY id",
  "SELECT id, kind, mode FROM transfers ORDER BY id",
  "SELECT transfer_id, account_id, currency, amount FROM entries ORDER BY id",
  "SELECT id, name, body FROM events ORDER BY id",
  "SELECT id, event_id, status::text, address FROM deliveries ORDER BY id",
  "SELECT key, operation, resource_id FROM idempotency_keys ORDER BY key",
];
const kept = async () => {
  const tables: unknown[][] = [];
  for (const sql of KEPT) tables.push((await client.query(sql)).rows);
  return tables;
};

describe.each(readdirSync(STATES))("a database with money in it, of %s", (file) => {
  it("is brought up to date: every order stays what it was, can go on, and the books are sound", async () => {
    await load(file);
    await spreadOverSlots();
    const before = await kept();
    const people = await client.query(
      "SELECT id AS user_id, merchant_id, 'owner' AS role FROM console_users WHERE merchant_id IS NOT NULL ORDER BY 1",
    );
    expect((await migrateDatabase(url, "tillgate_api")).length).toBeGreaterThan(0);
    expect(await migrateDatabase(url, "tillgate_api")).toEqual([]);
    expect(await kept()).toEqual(before);
    const members = await client.query("SELECT user_id, merchant_id, role FROM console_members ORDER BY 1");
    expect(members.rows).toEqual(people.rows);
    expect((await proveLedger(url)).rules.flatMap(({ violations }) => violations)).toEqual([]);
    const { rows: payers } = await client.query(
      "SELECT DISTINCT payer_amount::int AS amount, payer_currency AS currency FROM orders WHERE status = 'PAID' AND quote_id IS NULL",
    );
    expect(payers).toEqual([{ amount: 1250, currency: "EUR" }]);

    const { id: wallet } = await one("SELECT id FROM accounts WHERE kind = 'shopper' AND currency = 'EUR'");
    const { id: pending } = await one("SELECT id FROM orders WHERE status = 'PENDING'");
    const whole = await one("SELECT merchant_id, trx_id FROM orders WHERE state = 'PAID' AND refunded = 0");
    const partly = await one(
      "SELECT merchant_id, trx_id FROM orders WHERE state = 'PAID' AND refunded = 250",
    );
    await callRow(client, ledger.payOrders, {
      orderId: String(pending),
      mode: "sandbox",
      payerAccountId: String(wallet),
      quoteId: null,
      walletUserId: null,
      trxId: newTrxId(),
      transferId: randomUUID(),
      topUpTransferId: null,
      confirmation: null,
      requestId: null,
    });
    await refund(whole.merchant_id, whole.trx_id, 1n);
    await refund(partly.merchant_id, partly.trx_id, null);
    for (const { id } of (await client.query("SELECT id FROM refunds WHERE status = 'pending'")).rows)
      await one(`SELECT status FROM decide_refund($1, true, $2, ${ADMINISTRATOR}, NULL)`, [id, randomUUID()]);
    for (const { id } of (await client.query("SELECT id FROM payouts WHERE status = 'pending'")).rows)
      await one(`SELECT status FROM decide_payout($1, true, $2, $3, ${ADMINISTRATOR}, NULL)`, [
        id,
        newTrxId(),
        randomUUID(),
      ]);
    expect((await proveLedger(url)).rules.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it("becomes the same database as a new one", async () => {
    await load(file);
    await migrateDatabase(url, "tillgate_api");
    const upgraded = await readCatalogue(url);
    await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await migrateDatabase(url, "tillgate_api");
    expect(compareCatalogues(await readCatalogue(url), upgraded)).toEqual([]);
  });
});

describe("a database that cannot be brought up to date", () => {
  it("is refused with a clear line when it is too old, and is left as it was", async () => {
    await load("20261121001400_rate_limits.sql");
    await client.query("DELETE FROM _prisma_migrations WHERE migration_name = '20261121001400_rate_limits'");
    await expect(migrateDatabase(url, "tillgate_api")).rejects.toMatchObject({
      name: "MigrationError",
      reason: "too_old",
    });
    expect(await one("SELECT count(*)::int AS functions FROM pg_proc WHERE proname = 'pay_order'")).toEqual({
      functions: 1,
    });
  });

  it("is refused when a newer version has migrated it", async () => {
    await migrateDatabase(url, "tillgate_api");
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '9999_newer', now())",
    );
    await expect(migrateDatabase(url, "tillgate_api")).rejects.toMatchObject({
      reason: "newer",
      migration: "9999_newer",
    });
  });
});
