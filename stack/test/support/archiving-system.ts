import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { callOne, type Database, ledger, openDatabase, parseKeyring } from "@tillgate/database";
import { type EmbeddedServer, startEmbeddedServer } from "@tillgate/database/embedded";
import { seedSandbox } from "@tillgate/database/seed";
import { vi } from "vitest";
import { freePorts } from "../../../scripts/testing/free-port.js";
import { ensureEmbeddedApiDatabase, migrateApiDatabase } from "../../src/databases.js";
import { loadSecrets } from "../../src/secrets.js";

/** A seeded system whose WAL is archived. */
export type ArchivingSystem = {
  /** Temporary folder for the system and restored copies. */
  folder: string;
  settings: { dataDirectory: string; basePort: number; backupFolder: string; backupsKept: number };
  server: EmbeddedServer;
  database: Database;
  stop(): Promise<void>;
};

export async function startArchivingSystem(): Promise<ArchivingSystem> {
  process.env.TILLGATE_ENCRYPTION_KEYS ??= "a secret of the process that starts it";
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-backups-"));
  // When root runs the tests, PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  const [port = 0] = await freePorts(1);
  const settings = {
    dataDirectory: path.join(folder, "data"),
    basePort: port - 5,
    // Characters that mean something to a shell, to archive_command or to postgresql.conf.
    backupFolder: path.join(folder, "back'ups \\n 100%f $HOME"),
    backupsKept: 1,
  };
  await mkdir(settings.dataDirectory);
  const secrets = await loadSecrets(settings.dataDirectory);
  const server = await startEmbeddedServer({
    dataDirectory: path.join(settings.dataDirectory, "postgres"),
    port,
    fsync: false,
    backupFolder: settings.backupFolder,
  });
  const urls = await ensureEmbeddedApiDatabase(server.url, secrets);
  await migrateApiDatabase(urls);
  await seedSandbox({ databaseUrl: urls.api, keyring: parseKeyring(secrets.encryption_keys) });
  const database = open(urls.api);
  const stop = async () => {
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, settings, server, database, stop };
}

export const open = (url: string): Database =>
  openDatabase({
    url,
    maxConnections: 2,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 20_000,
    onIdleError: () => undefined,
  });

/** Creates an order and pays it from a test shopper's wallet. @returns the order's ID. */
export async function pay({ database: { pool } }: Pick<ArchivingSystem, "database">): Promise<string> {
  const { rows } = await pool.query(
    `SELECT m.id AS merchant, c.id AS credential, a.id AS wallet FROM merchants m
       JOIN credentials c ON c.merchant_id = m.id AND c.mode = 'sandbox' AND c.kind = 'client'
       JOIN wallet_users u ON u.test_of_merchant_id = m.id
       JOIN accounts a ON a.wallet_user_id = u.id AND a.currency = 'EUR' LIMIT 1`,
  );
  const [{ merchant, credential, wallet }] = rows;
  const id = `POS-20261124-${randomUUID().slice(0, 8).toUpperCase()}`;
  const nothing = { reference: null, description: null, terminalId: null, orderNumber: null, custom: null };
  await callOne(pool, ledger.createOrders, {
    ...nothing,
    id,
    token: randomUUID(),
    merchantId: merchant,
    mode: "sandbox",
    credentialId: credential,
    amount: 1250n,
    currency: "EUR",
    paymentMethod: "both",
    callbackUrl: null,
    returnUrl: null,
    cancelUrl: null,
    expiresInSeconds: 300,
    operation: "create_order",
    idempotencyKey: null,
    requestHash: Buffer.alloc(0),
    metadata: null,
    locale: null,
    requestId: null,
    traceparent: null,
  });
  await callOne(pool, ledger.payOrders, {
    orderId: id,
    mode: "sandbox",
    payerAccountId: wallet,
    quoteId: null,
    walletUserId: null,
    trxId: `TRX-${String(Date.now()).padStart(12, "0")}`,
    transferId: randomUUID(),
    topUpTransferId: randomUUID(),
    confirmation: null,
    requestId: null,
  });
  return id;
}

export const paidOrders = async ({ pool }: Database): Promise<string[]> =>
  (await pool.query("SELECT id FROM orders WHERE status = 'PAID' ORDER BY paid_at")).rows.map(({ id }) => id);

/** Returns a time between everything before and everything after this call, even though the database's clock is finer than a `Date`. */
export const now = async ({ database }: ArchivingSystem): Promise<Date> => {
  const { rows } = await database.pool.query(
    "SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' AS now",
  );
  await delay(2);
  return rows[0].now;
};

/** Switches to a new WAL segment and waits until the previous one is archived. */
export async function archiveLog({ server }: ArchivingSystem): Promise<void> {
  const admin = open(server.url);
  try {
    const { rows } = await admin.pool.query("SELECT pg_walfile_name(pg_switch_wal() - 1) AS segment");
    const archived = () =>
      admin.pool
        .query("SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver", [rows[0].segment])
        .then(({ rows: [{ done }] }) => done);
    await vi.waitUntil(archived, { timeout: 10_000 });
  } finally {
    await admin.close();
  }
}

export async function paidOrdersInCopy(restored: string): Promise<string[]> {
  const copy = await startEmbeddedServer({ dataDirectory: path.join(restored, "postgres"), fsync: false });
  const books = open(copy.urlOf("tillgate"));
  try {
    return await paidOrders(books);
  } finally {
    await books.close();
    await copy.stop();
  }
}
