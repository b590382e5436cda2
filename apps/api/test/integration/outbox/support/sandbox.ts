import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Mode } from "@tillgate/contract";
import {
  callGroup,
  callOne,
  type Database,
  type Keyring,
  ledger,
  parseKeyring,
  seal,
} from "@tillgate/database";
import type { SandboxDescription } from "@tillgate/database/seed";
import { pino } from "pino";
import { readConfig } from "../../../../src/config.js";
import { type Context, createContext } from "../../../../src/context.js";
import { createTestDatabase, testSeed } from "../../../support/test-database.js";

/** A seeded database of one test file, and what workers need to run on it. */
export type Sandbox = {
  url: string;
  database: Database;
  keyring: Keyring;
  /** Settings of a process on this database. */
  environment: Record<string, string>;
  access: SandboxDescription;
  /** Creates the context of a process. Several contexts simulate several processes. */
  context(settings?: Record<string, string>): Context;
  createOrder(options?: CreateOrder): Promise<string>;
  payOrder(id: string): Promise<void>;
  /** Creates and pays one order per URL with two statements, without a change notification. */
  createPaidOrders(callbackUrls: readonly string[]): Promise<string[]>;
  /** Adds an endpoint for the first merchant. */
  addReceiver(address: string, events: string[]): Promise<{ id: string; secret: string }>;
  executeAsSuperuser(sql: string): Promise<void>;
  drop(): Promise<void>;
};

export type CreateOrder = { callbackUrl?: string; expiresInSeconds?: number; clientId?: string };

const newOrder = (
  { id: credentialId, merchantId, mode }: { id: string; merchantId: string; mode: Mode },
  { callbackUrl, expiresInSeconds = 900 }: Omit<CreateOrder, "clientId">,
) => ({
  id: `ord_${randomBytes(12).toString("hex")}`,
  token: randomBytes(24).toString("base64url"),
  merchantId,
  mode,
  credentialId,
  amount: 4_150n,
  currency: "EUR",
  paymentMethod: "both",
  reference: "cart 7",
  description: null,
  terminalId: null,
  orderNumber: null,
  custom: null,
  callbackUrl: callbackUrl ?? null,
  returnUrl: null,
  cancelUrl: null,
  expiresInSeconds,
  operation: "create_order",
  idempotencyKey: null,
  requestHash: Buffer.alloc(0),
  metadata: null,
  locale: null,
  requestId: null,
  traceparent: null,
});

/** Builds the input of `pay_orders` for a payment from the test shopper's wallet, which is topped up before it pays. */
const payment = ({ id, mode }: { id: string; mode: Mode }, payerAccountId: string) => ({
  orderId: id,
  mode,
  payerAccountId,
  quoteId: null,
  walletUserId: null,
  trxId: `TRX-${String(randomInt(10 ** 12)).padStart(12, "0")}`,
  transferId: randomUUID(),
  topUpTransferId: randomUUID(),
  confirmation: null,
  requestId: null,
});

export async function openSandbox(): Promise<Sandbox> {
  const { template, keys, access } = testSeed();
  const test = await createTestDatabase(template);
  const { url, executeAsSuperuser } = test;
  const keyring = parseKeyring(keys);

  const environment = {
    DATABASE_URL: url,
    TILLGATE_INTERNAL_KEY: "k".repeat(32),
    TILLGATE_ENCRYPTION_KEYS: keys,
    TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow",
    LOG_LEVEL: "silent",
  };
  const contexts: Context[] = [];
  const database = test.open();
  const clientOf = (clientId: string) => database.prisma.credential.findFirstOrThrow({ where: { clientId } });
  const testWalletOf = async ({ currency, merchantId }: { currency: string; merchantId: string }) =>
    (
      await database.prisma.account.findFirstOrThrow({
        where: { currency, walletUser: { testOfMerchantId: merchantId } },
      })
    ).id;

  return {
    url,
    database,
    keyring,
    environment,
    access,
    context(settings = {}) {
      const config = readConfig({ ...environment, ...settings });
      const log = pino({ level: config.logLevel });
      const context = createContext({ config, database: test.open(), log });
      contexts.push(context);
      return context;
    },
    async createOrder({ clientId = access.merchant.client_id, ...options } = {}) {
      const order = newOrder(await clientOf(clientId), options);
      await callOne(database.pool, ledger.createOrders, order);
      return order.id;
    },
    async payOrder(id) {
      const order = await database.prisma.order.findFirstOrThrow({ where: { id } });
      await callOne(database.pool, ledger.payOrders, payment(order, await testWalletOf(order)));
    },
    async createPaidOrders(callbackUrls) {
      const client = await clientOf(access.merchant.client_id);
      const orders = callbackUrls.map((callbackUrl) => newOrder(client, { callbackUrl }));
      const [first] = orders;
      if (!first) return [];
      const wallet = await testWalletOf(first);
      await callGroup(database.pool, ledger.createOrders, orders);
      await callGroup(
        database.pool,
        ledger.payOrders,
        orders.map((order) => payment(order, wallet)),
      );
      return orders.map(({ id }) => id);
    },
    async addReceiver(address, events) {
      const { merchantId, mode } = await clientOf(access.merchant.client_id);
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
    executeAsSuperuser,
    async drop() {
      for (const context of contexts) await context.changes.close();
      await test.drop();
    },
  };
}
