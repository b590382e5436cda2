import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { callOne, type Database, ledger, openDatabase, parseKeyring } from "@tillgate/database";
import {
  deleteOldBackups,
  type EmbeddedServer,
  listBackups,
  startEmbeddedServer,
} from "@tillgate/database/embedded";
import { seedSandbox } from "@tillgate/database/seed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureEmbeddedApiDatabase, migrateApiDatabase } from "../../../src/databases.js";
import { backUp, backUpAndVerify, restore } from "../../../src/production/backups.js";
import { loadSecrets } from "../../../src/secrets.js";
import { freePorts } from "../../support/free-ports.js";

let folder: string;
let settings: { dataDirectory: string; basePort: number; backupFolder: string; backupsKept: number };
let server: EmbeddedServer;
let database: Database;
beforeAll(async () => {
  process.env.TILLGATE_ENCRYPTION_KEYS ??= "a secret of the process that starts it";
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-backups-"));
  // When root runs the tests, PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  const [port = 0] = await freePorts(1);
  settings = {
    dataDirectory: path.join(folder, "data"),
    basePort: port - 5,
    backupFolder: path.join(folder, "backups"),
    backupsKept: 1,
  };
  await mkdir(settings.dataDirectory);
  const secrets = await loadSecrets(settings.dataDirectory);
  server = await startEmbeddedServer({
    dataDirectory: path.join(settings.dataDirectory, "postgres"),
    port,
    fsync: false,
    backupFolder: settings.backupFolder,
  });
  const urls = await ensureEmbeddedApiDatabase(server.url, secrets);
  await migrateApiDatabase(urls);
  await seedSandbox({ databaseUrl: urls.api, keyring: parseKeyring(secrets.encryption_keys) });
  database = open(urls.api);
}, 60_000);
afterAll(async () => {
  await database.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const open = (url: string): Database =>
  openDatabase({
    url,
    maxConnections: 2,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 20_000,
    onIdleError: () => undefined,
  });

/** The test shopper pays an order. @returns the order's id. */
async function pay(): Promise<string> {
  const { pool } = database;
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

const paidOrders = async ({ pool }: Database): Promise<string[]> =>
  (await pool.query("SELECT id FROM orders WHERE status = 'PAID' ORDER BY paid_at")).rows.map(({ id }) => id);

/** A time strictly between everything before and after this call; the database's clock is finer than a `Date`. */
const now = async (): Promise<Date> => {
  const { rows } = await database.pool.query(
    "SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' AS now",
  );
  await delay(2);
  return rows[0].now;
};

/** Archives the current WAL segment. */
async function archiveLog(): Promise<void> {
  const admin = open(server.url);
  try {
    const { rows } = await admin.pool.query("SELECT pg_walfile_name(pg_switch_wal() - 1) AS segment");
    const archived = () =>
      admin.pool
        .query("SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver", [rows[0].segment])
        .then(({ rows: [{ done }] }) => done);
    await expect.poll(archived, { timeout: 10_000 }).toBe(true);
  } finally {
    await admin.close();
  }
}

async function paidOrdersInCopy(restored: string): Promise<string[]> {
  const copy = await startEmbeddedServer({ dataDirectory: path.join(restored, "postgres"), fsync: false });
  const books = open(copy.urlOf("tillgate"));
  try {
    return await paidOrders(books);
  } finally {
    await books.close();
    await copy.stop();
  }
}

it("PostgreSQL's environment holds none of our secrets", async ({ skip }) => {
  const environ = await readFile(`/proc/${server.pid}/environ`, "latin1").catch(() => undefined);
  if (environ === undefined) return skip("only Linux shows the environment of a process");
  const names = environ.split("\0").flatMap((one) => one.split("=", 1)[0] || []);
  // PG_GRANDPARENT_PID and the like are PostgreSQL's own.
  expect(names.filter((name) => !/^(PG|PATH$|(DY)?LD_LIBRARY_PATH$|TMPDIR$|LC_ALL$|TZ$)/.test(name))).toEqual(
    [],
  );
});

it("a running system is backed up and can be restored to any moment since, with a sound ledger", async () => {
  const before = await pay();
  const { name, firstFile } = await backUp(settings);
  expect((await stat(path.join(settings.backupFolder, "base", name))).mode & 0o077).toBe(0);
  const between = await pay();
  const moment = await now();
  const after = await pay();
  await archiveLog();
  // From here on only the archive is used.
  const last = await now();

  const log = path.join(settings.backupFolder, "wal");
  expect((await readdir(log)).filter((file) => !/\.(gz|part)$/.test(file))).toEqual([]);
  // Older versions did not compress segments.
  const packed = path.join(log, `${firstFile}.gz`);
  await writeFile(path.join(log, firstFile), gunzipSync(await readFile(packed)));
  await rm(packed);

  const into = path.join(folder, "restored");
  const { isSound, backup } = await restore({
    ...settings,
    into,
    to: moment,
    secrets: settings.dataDirectory,
  });
  expect([isSound, backup.name]).toEqual([true, name]);
  expect(await paidOrdersInCopy(into)).toEqual([before, between]);
  expect(await readdir(into)).toEqual(expect.arrayContaining(["secrets.json", "postgres"]));
  expect(await paidOrders(database)).toEqual([before, between, after]);

  await expect(restore({ ...settings, into, to: undefined, secrets: undefined })).rejects.toThrow(
    "is not empty",
  );
  const inUse = path.join(folder, "in-use");
  await mkdir(inUse);
  await writeFile(path.join(inUse, "secrets.json"), "{}");
  const late = { ...settings, into: inUse, to: new Date(last.getTime() + 86_400_000), secrets: inUse };
  await expect(restore(late)).rejects.toThrow("is not empty");
  expect(await readFile(path.join(inUse, "secrets.json"), "utf8")).toBe("{}");
  const early = { ...settings, into: path.join(folder, "early"), to: backup.startedAt, secrets: undefined };
  await expect(restore(early)).rejects.toThrow("No backup of");
  await expect(restore({ ...late, into: path.join(folder, "late"), secrets: undefined })).rejects.toThrow();
}, 120_000);

describe("npm run restore", () => {
  /** Restores to the end of the WAL. */
  const restoreInto = (name: string, acceptUntil?: Date) =>
    restore({
      ...settings,
      into: path.join(folder, name),
      to: undefined,
      secrets: settings.dataDirectory,
      acceptUntil,
    });
  const log = () => path.join(settings.backupFolder, "wal");
  const segments = async () =>
    (await readdir(log())).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).sort();

  it("fails when a WAL file in the middle is missing, truncated, corrupted or swapped, and names the moment it reached", async () => {
    await backUp(settings);
    await pay();
    await archiveLog();
    const lastReadable = await pay();
    await archiveLog();
    const [gap] = (await segments()).slice(-1);
    const reached = await now();
    const lost: string[] = [];
    for (let file = 0; file < 3; file++) {
      lost.push(await pay());
      await archiveLog();
    }
    expect((await segments()).filter((name) => name > String(gap))).toHaveLength(3);
    const [damaged = "", next = ""] = (await segments()).slice(-3);
    const name = damaged.replace(".gz", "");
    const [original, other] = [
      await readFile(path.join(log(), damaged)),
      await readFile(path.join(log(), next)),
    ];
    const damages: Record<string, () => Promise<unknown>> = {
      missing: () => rm(path.join(log(), damaged)),
      truncated: () => writeFile(path.join(log(), damaged), original.subarray(0, original.length / 2)),
      corrupted: () => {
        const corrupt = gunzipSync(original);
        corrupt.fill(0xff, 64, 8192);
        return writeFile(path.join(log(), damaged), gzipSync(corrupt));
      },
      swapped: async () => {
        await writeFile(path.join(log(), damaged), other);
        await writeFile(path.join(log(), next), original);
      },
    };
    for (const [kind, damage] of Object.entries(damages)) {
      await damage();
      const failed = restoreInto(`gap-${kind}`);
      await expect(failed, kind).rejects.toThrow(
        `Log file ${name} is ${kind === "missing" ? "missing" : "damaged"}`,
      );
      await expect(failed, kind).rejects.toThrow(/it ends at 20\d\d-\S+Z/);
      await expect(readdir(path.join(folder, `gap-${kind}`, "postgres")), kind).rejects.toThrow("ENOENT");
      await writeFile(path.join(log(), damaged), original);
      await writeFile(path.join(log(), next), other);
    }

    await rm(path.join(log(), damaged));
    await expect(restoreInto("too-early", reached)).rejects.toThrow("The restore is incomplete");
    const accepted = await restoreInto("accepted", new Date(reached.getTime() - 86_400_000));
    expect(accepted.isSound).toBe(true);
    expect(accepted.unread).toContain(name);
    expect(accepted.reachedAt.getTime()).toBeLessThanOrEqual(reached.getTime());
    const paid = await paidOrdersInCopy(path.join(folder, "accepted"));
    expect(paid.at(-1)).toBe(lastReadable);
    expect(paid).not.toEqual(expect.arrayContaining([lost[0]]));
    await writeFile(path.join(log(), damaged), original);

    const whole = await restoreInto("whole");
    expect([whole.isSound, whole.unread]).toEqual([true, undefined]);
    expect((await paidOrdersInCopy(path.join(folder, "whole"))).slice(-3)).toEqual(lost);
  }, 180_000);
});

it("each backup is verified, expired ones are removed with their WAL, and unfinished ones are ignored", async () => {
  expect(await backUpAndVerify(settings)).toMatch(/was taken and restored, and its ledger is sound\.$/);
  const taken = await listBackups(settings.backupFolder);
  const second = taken.at(-1);
  await mkdir(path.join(settings.backupFolder, "base/20990101T000000Z.unfinished"));
  expect(await deleteOldBackups(settings.backupFolder, 1)).toEqual(
    taken.slice(0, -1).map(({ name }) => name),
  );
  expect((await listBackups(settings.backupFolder)).map(({ name }) => name)).toEqual([second?.name]);
  const files = await readdir(path.join(settings.backupFolder, "wal"));
  expect(files.filter((file) => file < (second?.firstFile ?? ""))).toEqual([]);
  expect(files.length).toBeGreaterThan(0);
}, 120_000);

it("a backup with a broken ledger fails verification, and the database records the outcome of the newest", async () => {
  const reports = async () =>
    (await database.pool.query("SELECT error FROM backup_reports ORDER BY finished_at")).rows;
  expect(await reports()).toEqual([{ error: null }]);
  const query = async (sql: string): Promise<void> => {
    const admin = open(server.urlOf("tillgate"));
    await admin.pool.query(sql).finally(() => admin.close());
  };
  await query(
    "SET session_replication_role = replica; UPDATE accounts SET balance = balance + 1 WHERE kind = 'merchant'",
  );
  await expect(backUpAndVerify(settings)).rejects.toThrow("its ledger is NOT sound");
  expect(await reports()).toEqual([
    { error: null },
    { error: expect.stringContaining("its ledger is NOT sound") },
  ]);
  await query("DROP TABLE backup_reports");
  // If the outcome cannot be recorded, the backup's own error still comes first.
  await expect(backUpAndVerify(settings)).rejects.toThrow(
    /its ledger is NOT sound.*\nThis outcome could not be recorded in the database/s,
  );
}, 120_000);
