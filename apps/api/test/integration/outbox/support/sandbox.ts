import { randomBytes, randomInt, randomUUID } from "node:crypto";
import {
  type Database,
  hashSecret,
  type Keyring,
  newSecret,
  openDatabase,
  parseKeyring,
  seal,
} from "@tillgate/database";
import type { SandboxDescription } from "@tillgate/database/seed";
import pg from "pg";
import { pino } from "pino";
import { readConfig } from "../../../../src/config.js";
import { type Context, createContext } from "../../../../src/context.js";
import { testSeed } from "../../../support/test-database.js";

/** A database of one test file, with the sandbox in it, and what workers need to run on it. */
export type Sandbox = {
  url: string;
  database: Database;
  keyring: Keyring;
  /** The settings of a process that works on it. */
  environment: Record<string, string>;
  access: SandboxDescription;
  /** What a process works with; several contexts stand for several processes. */
  context(settings?: Record<string, string>): Context;
  createOrder(options?: CreateOrder): Promise<string>;
  /** Pays as "Approve" does, without a hint. */
  payOrder(id: string): Promise<void>;
  /** A further client credential of the merchant that has `clientId`. */
  addCredential(clientId: string): Promise<{ clientId: string; clientSecret: string }>;
  /** An endpoint of the first merchant. */
  addReceiver(address: string, events: string[]): Promise<{ id: string; secret: string }>;
  /** Ends every connection of that name to this database, as a failing server would. */
  endConnections(applicationName: string): Promise<void>;
  drop(): Promise<void>;
};

export type CreateOrder = { callbackUrl?: string; expiresInSeconds?: number; clientId?: string };

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the integration project of Vitest`);
  return value;
};

async function administer(sql: string, parameters?: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: required("TILLGATE_TEST_POSTGRES_URL") });
  await client.connect();
  try {
    await client.query(sql, parameters);
  } finally {
    await client.end();
  }
}

export async function openSandbox(): Promise<Sandbox> {
  const name = `outbox_${randomBytes(6).toString("hex")}`;
  const { template, keys, access } = testSeed();
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER tillgate`);
  const address = new URL(required("TILLGATE_TEST_POSTGRES_URL"));
  address.pathname = `/${name}`;
  // With the rights of the role that runs in real life, which is no superuser.
  address.searchParams.set("options", "-c role=tillgate_api");
  const url = address.href;
  const keyring = parseKeyring(keys);

  const environment = {
    DATABASE_URL: url,
    TILLGATE_INTERNAL_KEY: "k".repeat(32),
    TILLGATE_ENCRYPTION_KEYS: keys,
    TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow",
    LOG_LEVEL: "silent",
  };
  const contexts: Context[] = [];
  const open = () =>
    openDatabase({
      url,
      maxConnections: 10,
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 20_000,
      // Tests end connections on purpose.
      onIdleError: () => {},
    });
  const database = open();

  return {
    url,
    database,
    keyring,
    environment,
    access,
    context(settings = {}) {
      const config = readConfig({ ...environment, ...settings });
      const log = pino({ level: config.logLevel });
      const context = createContext({ config, database: open(), log });
      contexts.push(context);
      return context;
    },
    async createOrder({ callbackUrl, expiresInSeconds = 900, clientId = access.merchant.client_id } = {}) {
      const id = `ord_${randomBytes(12).toString("hex")}`;
      await database.pool.query(
        `SELECT replayed FROM credentials c, create_order($1, $2, c.merchant_id, c.mode, c.id, 4150, 'EUR', 'both', 'cart 7', NULL, NULL,
           NULL, NULL, $3, NULL, NULL, $4, 'create_order', NULL, NULL) WHERE c.client_id = $5`,
        [id, randomBytes(24).toString("base64url"), callbackUrl ?? null, expiresInSeconds, clientId],
      );
      return id;
    },
    async payOrder(id) {
      await database.pool.query(
        `SELECT pay_order(o.id, o.mode, a.id, $2, $3, $4) FROM orders o
           JOIN wallet_users u ON u.test_of_merchant_id = o.merchant_id
           JOIN accounts a ON a.wallet_user_id = u.id AND a.currency = o.currency WHERE o.id = $1`,
        [id, `TRX-${String(randomInt(10 ** 12)).padStart(12, "0")}`, randomUUID(), randomUUID()],
      );
    },
    async addCredential(clientId) {
      const { merchantId, mode } = await database.prisma.credential.findFirstOrThrow({
        where: { clientId },
      });
      const id = randomUUID();
      const added = {
        clientId: `tg_test_${randomBytes(12).toString("hex")}`,
        clientSecret: newSecret("tgs_test_"),
      };
      const sealed = seal(keyring, id, added.clientSecret);
      await database.prisma.credential.create({
        data: {
          id,
          merchantId,
          mode,
          kind: "client",
          clientId: added.clientId,
          secretHash: hashSecret(added.clientSecret),
          secretCiphertext: sealed.ciphertext,
          encryptionKeyId: sealed.keyId,
        },
      });
      return added;
    },
    async addReceiver(address, events) {
      const { merchantId, mode } = await database.prisma.credential.findFirstOrThrow({
        where: { clientId: access.merchant.client_id },
      });
      const id = randomUUID();
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      const sealed = seal(keyring, id, secret);
      await database.prisma.receiver.create({
        data: {
          id,
          merchantId,
          mode,
          address,
          events,
          secretCiphertext: sealed.ciphertext,
          encryptionKeyId: sealed.keyId,
        },
      });
      return { id, secret };
    },
    endConnections: (applicationName) =>
      administer(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = $2",
        [name, applicationName],
      ),
    async drop() {
      for (const context of contexts) {
        await context.hints.close();
        await context.database.close();
      }
      await database.close();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
