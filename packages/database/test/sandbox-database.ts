import pg from "pg";
import {
  createFromTemplate,
  databaseUrl,
  dropDatabase,
  requireRunValue,
} from "../../../scripts/testing/databases.js";
import { openDatabase } from "../src/database.js";
import { MERCHANTS } from "../src/seed/sandbox-data.js";

/** A seeded merchant, with what its orders need. */
export type Merchant = { id: string; credentialId: string; wallets: Record<string, string> };

/** A migrated and seeded database of one test file. */
export type SandboxDatabase = {
  /** URL with the API's role, which owns no tables. */
  url: string;
  /** Connections with the role that owns the tables, which is not a superuser. */
  ownerPool: pg.Pool;
  /** Connections with the API's role; `bigint` columns are returned as `bigint`. */
  pool: pg.Pool;
  merchant: Merchant;
  otherMerchant: Merchant;
  /** Wallets by the shopper's first name and currency: `shoppers.Amélie.EUR`. */
  shoppers: Record<string, Record<string, string>>;
  /** Wallets of the merchant's built-in test shopper. */
  testShopper: Record<string, string>;
  /** House accounts of the sandbox by kind and currency: `house.issuing.EUR`. */
  house: Record<string, Record<string, string>>;
  /** Runs SQL as superuser in one session without triggers and foreign keys, to damage the ledger. */
  breaking(work: (client: pg.Client) => Promise<void>): Promise<void>;
  drop(): Promise<void>;
};

/**
 * Creates a database with the seed's merchants and shoppers.
 * @param maxConnections maximum number of concurrent statements.
 */
export async function openSandboxDatabase(maxConnections = 5): Promise<SandboxDatabase> {
  const { template }: { template: string } = JSON.parse(requireRunValue("TILLGATE_TEST_SEED"));
  const name = await createFromTemplate("ledger", template);
  const url = asRole(name, "tillgate_api");
  const database = openDatabase({
    url,
    maxConnections,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 20_000,
    onIdleError: (error) => console.error(error),
  });
  const { pool } = database;
  const ownerPool = new pg.Pool({ connectionString: asRole(name, "tillgate"), max: 2 });
  return {
    url,
    ownerPool,
    pool,
    merchant: await readMerchant(pool, "merchant"),
    otherMerchant: await readMerchant(pool, "other_merchant"),
    shoppers: await readWallets(
      pool,
      `SELECT split_part(u.name, ' ', 1) AS owner, a.currency, a.id FROM accounts a JOIN wallet_users u ON u.id = a.wallet_user_id
       WHERE u.test_of_merchant_id IS NULL`,
    ),
    testShopper: record(
      await readWallets(
        pool,
        `SELECT m.name AS owner, a.currency, a.id FROM accounts a JOIN wallet_users u ON u.id = a.wallet_user_id
         JOIN merchants m ON m.id = u.test_of_merchant_id`,
      ),
      merchantName("merchant"),
    ),
    house: await readWallets(
      pool,
      "SELECT kind::text AS owner, currency, id FROM accounts WHERE balance IS NULL AND mode = 'sandbox'",
    ),
    async breaking(work) {
      const client = new pg.Client({ connectionString: databaseUrl(name).href });
      await client.connect();
      try {
        await client.query("SET session_replication_role = replica");
        await work(client);
      } finally {
        await client.end();
      }
    },
    async drop() {
      await Promise.all([database.close(), ownerPool.end()]);
      await dropDatabase(name);
    },
  };
}

/** Returns a URL that signs in as superuser and switches to the role, because only the set-up has the roles' passwords. */
function asRole(name: string, role: "tillgate" | "tillgate_api"): string {
  const url = databaseUrl(name);
  url.searchParams.set("options", `-c role=${role}`);
  return url.href;
}

/** Returns a wallet's balance in minor units. */
export async function balanceOf(database: SandboxDatabase, account: string): Promise<bigint> {
  const { rows } = await database.pool.query<{ balance: bigint }>(
    "SELECT balance FROM accounts WHERE id = $1",
    [account],
  );
  if (!rows[0]) throw new Error(`account ${account} not found`);
  return rows[0].balance;
}

/** Returns the result of a `SELECT count(*)`. */
export async function countOf(
  database: SandboxDatabase,
  from: string,
  values: unknown[] = [],
): Promise<number> {
  const { rows } = await database.pool.query<{ count: bigint }>(`SELECT count(*) FROM ${from}`, values);
  return Number(rows[0]?.count);
}

/** Returns an entry of a map. @throws if it is missing. */
export function record<Value>(map: Record<string, Value>, key: string): Value {
  const value = map[key];
  if (value === undefined) throw new Error(`the seed has no ${key}`);
  return value;
}

function merchantName(key: (typeof MERCHANTS)[number]["key"]): string {
  const merchant = MERCHANTS.find((seeded) => seeded.key === key);
  if (!merchant) throw new Error(`the seed has no ${key}`);
  return merchant.name;
}

async function readMerchant(pool: pg.Pool, key: (typeof MERCHANTS)[number]["key"]): Promise<Merchant> {
  const { rows } = await pool.query<{ id: string; credential_id: string }>(
    `SELECT m.id, c.id AS credential_id FROM merchants m JOIN credentials c ON c.merchant_id = m.id
     WHERE m.name = $1 AND c.kind = 'client'`,
    [merchantName(key)],
  );
  if (!rows[0]) throw new Error(`merchant ${key} not found`);
  const { id, credential_id: credentialId } = rows[0];
  const wallets = await readWallets(
    pool,
    "SELECT 'merchant' AS owner, currency, id FROM accounts WHERE merchant_id = $1 AND kind = 'merchant'",
    [id],
  );
  return { id, credentialId, wallets: record(wallets, "merchant") };
}

async function readWallets(
  pool: pg.Pool,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, Record<string, string>>> {
  const { rows } = await pool.query<{ owner: string; currency: string; id: string }>(sql, values);
  const wallets: Record<string, Record<string, string>> = {};
  for (const { owner, currency, id } of rows) wallets[owner] = { ...wallets[owner], [currency]: id };
  return wallets;
}
