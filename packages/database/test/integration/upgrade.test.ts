import { randomBytes, randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { migrate } from "@tillgate/migrate";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { proveLedger } from "../../src/prove-ledger.js";
import { hashOf, newOrderId, newRefundId, newTrxId } from "../ledger-calls.js";

const MIGRATIONS = path.resolve(import.meta.dirname, "../../prisma/migrations");

/** The last migrations of states that were in use, and whether making an order took the name of its operation then. */
const STATES = [
  { last: "20261121001400_rate_limits", operation: false },
  { last: "20261123001400_retention", operation: true },
];

let name: string;
let url: string;
let early: string;
let client: pg.Client;

beforeEach(async () => {
  name = `upgrade_${randomBytes(6).toString("hex")}`;
  const address = new URL(adminUrl());
  await asAdministrator(`CREATE DATABASE ${name} OWNER tillgate`);
  address.pathname = `/${name}`;
  address.searchParams.set("options", "-c role=tillgate");
  url = address.href;
  early = mkdtempSync(path.join(tmpdir(), "tillgate-upgrade-"));
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  rmSync(early, { recursive: true });
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

/** A merchant and a shopper with 1,000.00 EUR, as the first migrations knew them. */
async function parties(): Promise<{ merchant: string; credential: string; wallet: string }> {
  const [merchant, credential, shopper] = [randomUUID(), randomUUID(), randomUUID()];
  const [wallet, issuing] = [randomUUID(), randomUUID()];
  await client.query(
    "INSERT INTO currencies (code, digits, name, symbol) VALUES ('EUR', 2, 'Euro', '€') ON CONFLICT DO NOTHING",
  );
  await client.query("INSERT INTO merchants (id, name) VALUES ($1, 'Old shop')", [merchant]);
  await client.query(
    `INSERT INTO credentials (id, merchant_id, mode, kind, client_id, secret_hash, secret_ciphertext, encryption_key_id)
     VALUES ($1, $2, 'sandbox', 'client', 'tg_sandbox_old', $3, $3, 'k1')`,
    [credential, merchant, randomBytes(32)],
  );
  await client.query(
    "INSERT INTO wallet_users (id, mode, name, email) VALUES ($1, 'sandbox', 'Old shopper', 'old@example.com')",
    [shopper],
  );
  await client.query(
    `INSERT INTO accounts (id, mode, currency, kind, merchant_id, wallet_user_id, balance) VALUES
       ($1, 'sandbox', 'EUR', 'issuing', NULL, NULL, NULL), ($2, 'sandbox', 'EUR', 'merchant', $3, NULL, 0),
       ($4, 'sandbox', 'EUR', 'shopper', NULL, $5, 0)`,
    [issuing, randomUUID(), merchant, wallet, shopper],
  );
  await client.query(
    "SELECT move_between_wallets($1, 'sandbox', 'deposit', 'EUR', $2, $3, 100000, 'opening')",
    [randomUUID(), issuing, wallet],
  );
  return { merchant, credential, wallet };
}

/** An order of 12.50 EUR. */
async function order(merchant: string, credential: string, operation: boolean): Promise<string> {
  const { id } = await one(
    `SELECT (made.result).id FROM create_order($1, $2, $3, 'sandbox', $5, 1250, 'EUR', 'both', NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, 300, ${operation ? "'create_order', " : ""}NULL, $4) AS made`,
    [newOrderId(), randomUUID(), merchant, hashOf("1250"), credential],
  );
  return String(id);
}

const pay = async (id: string, wallet: string): Promise<string> =>
  String(
    (
      await one("SELECT trx_id FROM pay_order($1, 'sandbox', $2, $3, $4, NULL)", [
        id,
        wallet,
        newTrxId(),
        randomUUID(),
      ])
    ).trx_id,
  );

const refund = (merchant: string, trxId: string, amount: number | null) =>
  client.query("SELECT refund_payment($1, $2, 'sandbox', $3, $4, NULL, NULL, $5, NULL, $6)", [
    newRefundId(),
    merchant,
    trxId,
    amount,
    randomUUID(),
    hashOf(String(amount)),
  ]);

describe.each(STATES)("a database with money in it, of $last", ({ last, operation }) => {
  it("is brought up to date: every order stays what it was, can go on, and the books are sound", async () => {
    for (const migration of readdirSync(MIGRATIONS).filter((entry) => entry <= last))
      cpSync(path.join(MIGRATIONS, migration), path.join(early, migration), { recursive: true });
    expect((await migrate(url, early)).at(-1)).toBe(last);

    const { merchant, credential, wallet } = await parties();
    const make = () => order(merchant, credential, operation);
    const [pending, cancelled, paid] = [await make(), await make(), await make()];
    const [partly, wholly] = [await make(), await make()];
    await client.query("SELECT cancel_order($1, 'sandbox')", [cancelled]);
    const [paidTrx, partlyTrx, whollyTrx] = [
      await pay(paid, wallet),
      await pay(partly, wallet),
      await pay(wholly, wallet),
    ];
    await refund(merchant, partlyTrx, 250);
    await refund(merchant, whollyTrx, null);
    const states = "SELECT id, status, state, amount, refunded, version FROM orders ORDER BY id";
    const { rows: before } = await client.query(states);

    expect((await migrate(url, MIGRATIONS)).length).toBeGreaterThan(0);
    expect((await client.query(states)).rows).toEqual(before);
    expect((await proveLedger(url)).rules.flatMap(({ violations }) => violations)).toEqual([]);
    const { rows: payers } = await client.query(
      "SELECT DISTINCT payer_amount::int AS amount, payer_currency AS currency FROM orders WHERE status = 'PAID'",
    );
    expect(payers).toEqual([{ amount: 1250, currency: "EUR" }]);

    await pay(pending, wallet);
    await refund(merchant, paidTrx, 1);
    await refund(merchant, partlyTrx, null);
    expect(await one("SELECT balance::int AS balance FROM accounts WHERE id = $1", [wallet])).toEqual({
      balance: 100_000 - 1_250 - 1_249,
    });
    expect((await proveLedger(url)).sound).toBe(true);
  });
});
