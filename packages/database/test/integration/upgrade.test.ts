import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { migrate } from "@tillgate/migrate";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compareCatalogues, readCatalogue } from "../../src/catalogue.js";
import * as ledger from "../../src/ledger.js";
import { proveLedger } from "../../src/prove-ledger.js";
import { migrateDatabase } from "../../src/schema.js";
import { ADMINISTRATOR, callRow, hashOf, newRefundId, newTrxId } from "../ledger-calls.js";

/** Each release with its last migration. Its rows contain orders in every state, pending refunds and payouts, and a converted payment. */
const RELEASES = [{ release: "0.1.0", last: "0001_baseline" }];
const MIGRATIONS = path.join(import.meta.dirname, "../../sql/migrations");

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

async function asAdministrator(sql: string, database?: string): Promise<void> {
  const address = new URL(adminUrl());
  if (database !== undefined) address.pathname = `/${database}`;
  const administrator = new pg.Client({ connectionString: address.href });
  await administrator.connect();
  try {
    await administrator.query(sql);
  } finally {
    await administrator.end();
  }
}

const one = async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>> => {
  const { rows } = await client.query<Record<string, unknown>>(sql, values);
  if (rows[0] === undefined) throw new Error(`no row returned by ${sql}`);
  return rows[0];
};

const refund = (merchant: unknown, trxId: unknown, amount: bigint | null) =>
  callRow(client, ledger.refundPayments, {
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

/** Creates the database of a release. No trigger fires: the rows are already as the release's triggers left them. */
async function load({ release, last }: (typeof RELEASES)[number]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-release-"));
  try {
    for (const one of readdirSync(MIGRATIONS).filter((entry) => entry <= last))
      await cp(path.join(MIGRATIONS, one), path.join(folder, one), { recursive: true });
    await migrate(url, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
  const rows = readFileSync(path.join(import.meta.dirname, `releases/${release}.sql`), "utf8");
  await asAdministrator(`SET session_replication_role = replica; ${rows}`, name);
}

/** Queries whose results an upgrade must not change. */
const KEPT = [
  "SELECT id, status, state, amount, refunded, refund_pending, version, paid_at, trx_id FROM orders ORDER BY id",
  "SELECT id, status, amount, transfer_id FROM refunds ORDER BY id",
  "SELECT id, kind, mode FROM transfers ORDER BY id",
  "SELECT transfer_id, account_id, currency, amount FROM entries ORDER BY id",
  "SELECT id, name, body FROM events ORDER BY id",
  "SELECT id, event_id, status::text, address FROM deliveries ORDER BY id",
  "SELECT key, operation, resource_id FROM idempotency_keys ORDER BY key",
];
const stored = async () => {
  const tables: unknown[][] = [];
  for (const sql of KEPT) tables.push((await client.query(sql)).rows);
  return tables;
};

describe.each(RELEASES)("a database of release $release with money in it", (release) => {
  it("is migrated with its rows intact, and its ledger stays sound after new payments, refunds and decisions", async () => {
    await load(release);
    const before = await stored();
    expect((await migrateDatabase(url, "tillgate_api")).length).toBeGreaterThan(0);
    expect(await migrateDatabase(url, "tillgate_api")).toEqual([]);
    expect(await stored()).toEqual(before);
    expect((await proveLedger(url)).rules.flatMap(({ violations }) => violations)).toEqual([]);
    // Days before the upgrade are not reported.
    expect(await one("SELECT write_report_events(10) AS moved")).toEqual({ moved: 0 });
    expect(
      await one(
        "SELECT count(*)::int AS wallets, count(*) FILTER (WHERE next_date >= now()::date - 1)::int AS current FROM accounts a LEFT JOIN report_cursors ON account_id = a.id WHERE merchant_id IS NOT NULL",
      ),
    ).toSatisfy(({ wallets, current }) => wallets > 0 && wallets === current);
    const { rows: payers } = await client.query(
      "SELECT DISTINCT payer_amount::int AS amount, payer_currency AS currency FROM orders WHERE status = 'PAID' AND quote_id IS NULL",
    );
    expect(payers).toEqual([{ amount: 1250, currency: "EUR" }]);

    const { id: wallet } = await one("SELECT id FROM accounts WHERE kind = 'shopper' AND currency = 'EUR'");
    const { id: pending } = await one("SELECT id FROM orders WHERE status = 'PENDING'");
    const full = await one("SELECT merchant_id, trx_id FROM orders WHERE state = 'PAID' AND refunded = 0");
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
    await refund(full.merchant_id, full.trx_id, 1n);
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

  it("ends up with the same definition as a new database", async () => {
    await load(release);
    await migrateDatabase(url, "tillgate_api");
    const upgraded = await readCatalogue(url);
    await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await migrateDatabase(url, "tillgate_api");
    expect(compareCatalogues(await readCatalogue(url), upgraded)).toEqual([]);
  });
});

it("migrateDatabase rejects a database that a newer version has migrated", async () => {
  await migrateDatabase(url, "tillgate_api");
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '9999_newer', now())",
  );
  await expect(migrateDatabase(url, "tillgate_api")).rejects.toMatchObject({
    reason: "newer",
    migration: "9999_newer",
  });
});
