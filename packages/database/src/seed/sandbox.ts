import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type Database, openDatabase } from "../database.js";
import type { Prisma } from "../generated/prisma/client.js";
import { generatePin, generateSecret, hashPassword, hashSecret, type Keyring, seal } from "../secrets.js";
import { drawLogo } from "./draw-logo.js";
import {
  ADMINISTRATOR_EMAIL,
  CURRENCIES,
  DEFAULT_FEES,
  EXCHANGE_RATES,
  MERCHANT_USER_EMAIL,
  MERCHANTS,
  PAYOUT_TERMS,
  SECOND_ADMINISTRATOR_EMAIL,
  type SeededShopper,
  SHOPPERS,
  SPREAD_PERCENT,
} from "./sandbox-data.js";

type Transaction = Prisma.TransactionClient;

export type MerchantAccess = { name: string; client_id: string; client_secret: string; api_token: string };

/** Secrets are returned once; the database never stores them in plain text. */
export type SandboxDescription = {
  merchant: MerchantAccess;
  other_merchant: MerchantAccess;
  shoppers: {
    name: string;
    phone: string;
    email: string;
    pin: string;
    currencies: string[];
    active: boolean;
  }[];
  administrator: { email: string; password: string };
  second_administrator: { email: string; password: string };
  merchant_user: { email: string; password: string };
};

export type SeedOptions = {
  databaseUrl: string;
  keyring: Keyring;
  /** Origins of the demo shop that may embed the first merchant's sandbox payments. */
  shopOrigins?: readonly string[];
};

const SEED_TIMEOUT_MS = 60_000;
/** Advisory lock, so that only one of several concurrent starts seeds. */
const SEED_LOCK = 7_265_843;

/** Seeds an empty database in one transaction, so an interrupted seed leaves no rows. @returns null if the database already has a merchant. */
export async function seedSandbox(options: SeedOptions): Promise<SandboxDescription | null> {
  // Connections that break while idle are reported only if the seed fails too. Throwing in the listener would crash the process.
  const broken: Error[] = [];
  const database = openDatabase({
    url: options.databaseUrl,
    maxConnections: 2,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: SEED_TIMEOUT_MS,
    onIdleError: (error) => broken.push(error),
  });
  try {
    return await seed(database, options);
  } catch (error) {
    throw broken.length === 0
      ? error
      : new AggregateError([error, ...broken], "the seed failed, and idle database connections were lost");
  } finally {
    await database.close();
  }
}

const seed = (
  database: Database,
  { keyring, shopOrigins = [] }: SeedOptions,
): Promise<SandboxDescription | null> =>
  database.prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SEED_LOCK})`;
      if ((await tx.merchant.count()) > 0) return null;
      await tx.currency.createMany({
        data: CURRENCIES.map((currency) => ({ ...currency })),
        skipDuplicates: true,
      });
      await createHouse(tx);
      await createFees(tx);
      const access = new Map<string, MerchantAccess & { id: string }>();
      for (const merchant of MERCHANTS) access.set(merchant.key, await createMerchant(tx, keyring, merchant));
      const merchant = access.get("merchant");
      const otherMerchant = access.get("other_merchant");
      if (!merchant || !otherMerchant) throw new Error("the seed must define two merchants");
      await tx.embedOrigin.createMany({
        data: shopOrigins.map((origin) => ({ merchantId: merchant.id, mode: "sandbox", origin })),
      });
      const shoppers = [];
      for (const shopper of SHOPPERS) shoppers.push(await createShopper(tx, shopper));
      const { id: merchantId, ...merchantAccess } = merchant;
      const { id: _otherId, ...otherAccess } = otherMerchant;
      const administrator = await createConsoleUser(tx, ADMINISTRATOR_EMAIL, null);
      await createRates(tx);
      return {
        merchant: merchantAccess,
        other_merchant: otherAccess,
        shoppers,
        administrator,
        second_administrator: await createConsoleUser(tx, SECOND_ADMINISTRATOR_EMAIL, null),
        merchant_user: await createConsoleUser(tx, MERCHANT_USER_EMAIL, merchantId),
      };
    },
    // Tolerates a slow connection on a busy machine.
    { maxWait: SEED_TIMEOUT_MS, timeout: SEED_TIMEOUT_MS },
  );

async function createHouse(tx: Transaction): Promise<void> {
  const kinds = { sandbox: ["fees", "fx", "funding", "issuing"], live: ["fees", "fx", "funding"] } as const;
  for (const mode of ["sandbox", "live"] as const)
    await tx.account.createMany({
      data: CURRENCIES.flatMap(({ code }) => kinds[mode].map((kind) => ({ mode, currency: code, kind }))),
    });
}

async function createFees(tx: Transaction): Promise<void> {
  await tx.feeSchedule.createMany({
    data: DEFAULT_FEES.map((fee) => ({ ...fee, mode: "sandbox" as const })),
  });
}

/** Creates exchange rates, with an audit record of their import by the sandbox's first administrator. */
async function createRates(tx: Transaction): Promise<void> {
  await tx.exchangeRate.createMany({
    data: EXCHANGE_RATES.map((rate) => ({
      ...rate,
      mode: "sandbox" as const,
      spreadPercent: SPREAD_PERCENT,
      effectiveFrom: new Date(0),
    })),
  });
  await tx.$executeRaw`
    SELECT record_change(NULL, id, 'rate.import', 'sandbox', json_build_object(
      'mode', 'sandbox', 'rates', ${EXCHANGE_RATES.length}::int, 'rates_sha256', digest_of_rates('sandbox')))
    FROM console_users WHERE email = ${ADMINISTRATOR_EMAIL}`;
}

type Owner = { merchantId: string; kind: "merchant" } | { walletUserId: string; kind: "shopper" };

/** Opens a wallet and funds it from the issuing account with `minor` minor units. */
async function openWallet(tx: Transaction, owner: Owner, currency: string, minor: bigint): Promise<void> {
  const wallet = await tx.account.create({ data: { ...owner, mode: "sandbox", currency, balance: 0n } });
  if (minor === 0n) return;
  const issuing = await tx.account.findFirstOrThrow({
    where: { mode: "sandbox", currency, kind: "issuing" },
  });
  await tx.$executeRaw`SELECT move_between_wallets(${randomUUID()}::uuid, 'sandbox', 'deposit', ${currency},
    ${issuing.id}::uuid, ${wallet.id}::uuid, ${minor}, ${`seed ${wallet.id}`})`;
}

async function createMerchant(
  tx: Transaction,
  keyring: Keyring,
  { name, accent, logo, wallets }: (typeof MERCHANTS)[number],
): Promise<MerchantAccess & { id: string }> {
  const { id } = await tx.merchant.create({ data: { name, partnerApiEnabled: true } });
  await tx.merchantBranding.create({ data: { merchantId: id, accent, ...(logo ? createSeedLogo() : {}) } });
  for (const { currency, minor } of wallets)
    await openWallet(tx, { merchantId: id, kind: "merchant" }, currency, minor);
  await tx.payoutTerms.createMany({
    data: PAYOUT_TERMS.map((terms) => ({
      ...terms,
      merchantId: id,
      mode: "sandbox" as const,
      authorized: true,
    })),
  });
  const testShopper = await tx.walletUser.create({
    data: { mode: "sandbox", name: "Test shopper", testOfMerchantId: id },
  });
  for (const { currency } of wallets)
    await openWallet(tx, { walletUserId: testShopper.id, kind: "shopper" }, currency, 0n);
  const access = {
    client_id: `tg_test_${randomBytes(12).toString("hex")}`,
    client_secret: generateSecret("tgs_test_"),
    api_token: generateSecret("tgt_test_"),
  };
  const credentialId = randomUUID();
  const sealed = seal(keyring, credentialId, access.client_secret);
  await tx.credential.create({
    data: {
      id: credentialId,
      merchantId: id,
      mode: "sandbox",
      kind: "client",
      clientId: access.client_id,
      secretHash: hashSecret(access.client_secret),
      secretCiphertext: sealed.ciphertext,
      encryptionKeyId: sealed.keyId,
    },
  });
  await tx.credential.create({
    data: { merchantId: id, mode: "sandbox", kind: "api_token", secretHash: hashSecret(access.api_token) },
  });
  return { id, name, ...access };
}

function createSeedLogo() {
  const { bytes, width, height } = drawLogo();
  return {
    logo: bytes,
    logoId: createHash("sha256").update(bytes).digest("hex"),
    logoType: "image/png",
    logoWidth: width,
    logoHeight: height,
  };
}

async function createShopper(
  tx: Transaction,
  { name, phone, email, active, open, wallets }: SeededShopper,
): Promise<SandboxDescription["shoppers"][number]> {
  const pin = generatePin();
  const user = await tx.walletUser.create({
    data: {
      mode: "sandbox",
      name,
      phone,
      email,
      active,
      openIn: open ? "sandbox" : null,
      pinHash: await hashPassword(pin),
    },
  });
  for (const { currency, minor } of wallets)
    await openWallet(tx, { walletUserId: user.id, kind: "shopper" }, currency, minor);
  return { name, phone, email, pin, currencies: wallets.map(({ currency }) => currency), active };
}

async function createConsoleUser(
  tx: Transaction,
  email: string,
  merchantId: string | null,
): Promise<{ email: string; password: string }> {
  const password = generateSecret("");
  await tx.consoleUser.create({
    data: {
      email,
      role: merchantId ? "merchant" : "administrator",
      passwordHash: await hashPassword(password),
      members: { create: merchantId ? [{ merchantId, role: "owner" }] : [] },
    },
  });
  return { email, password };
}
