import { randomBytes, randomUUID } from "node:crypto";
import type { Mode } from "@tillgate/contract";
import { generateSecret, hashPassword, hashSecret, seal } from "@tillgate/database";
import { depositFunds } from "./funds.js";
import type { Sandbox } from "./sandbox.js";

export type ClientCredentials = { client_id: string; client_secret: string };

export const merchantIdOf = async (
  { database }: Pick<Sandbox, "database">,
  clientId: string,
): Promise<string> => (await database.prisma.credential.findFirstOrThrow({ where: { clientId } })).merchantId;

export async function addCredential(
  { database, keyring }: Pick<Sandbox, "database" | "keyring">,
  merchantId: string,
  mode: Mode,
  { readOnly = false, orderOnly = false, reportsOnly = false } = {},
): Promise<ClientCredentials> {
  const id = randomUUID();
  const access = {
    client_id: `tg_${mode}_${randomBytes(12).toString("hex")}`,
    client_secret: generateSecret("tgs_"),
  };
  const sealed = seal(keyring, id, access.client_secret);
  await database.prisma.credential.create({
    data: {
      id,
      merchantId,
      mode,
      kind: "client",
      clientId: access.client_id,
      secretHash: hashSecret(access.client_secret),
      secretCiphertext: sealed.ciphertext,
      encryptionKeyId: sealed.keyId,
      readOnly: readOnly || reportsOnly,
      orderOnly,
      reportsOnly,
    },
  });
  return access;
}

export async function addMerchantWallet(
  { database }: Sandbox,
  merchantId: string,
  mode: Mode,
  currency: string,
): Promise<void> {
  await database.prisma.account.create({
    data: { merchantId, mode, currency, kind: "merchant", balance: 0n },
  });
}

export async function addLiveCredential(sandbox: Sandbox, clientId: string): Promise<ClientCredentials> {
  const merchantId = await merchantIdOf(sandbox, clientId);
  await addMerchantWallet(sandbox, merchantId, "live", "EUR");
  return addCredential(sandbox, merchantId, "live");
}

export type TestShopper = { id: string; email: string; phone: string; pin: string };

const PIN = "407193";
/** Hash of the PIN, computed once per process, because hashing is slow on purpose. */
const hashOfPin = hashPassword(PIN);

/** Adds a shopper with a EUR wallet. @param minor balance of the wallet in cents */
export async function addShopper(sandbox: Sandbox, mode: Mode, minor: bigint): Promise<TestShopper> {
  const { pool, prisma } = sandbox.database;
  const shopper = {
    email: `shopper-${randomBytes(6).toString("hex")}@example.com`,
    phone: `+3361${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`,
    pin: PIN,
  };
  const { id } = await prisma.walletUser.create({
    data: {
      mode,
      name: "Ruth Okafor",
      email: shopper.email,
      phone: shopper.phone,
      pinHash: await hashOfPin,
    },
  });
  const wallet = await prisma.account.create({
    data: { walletUserId: id, mode, currency: "EUR", kind: "shopper", balance: 0n },
  });
  if (minor > 0n) await depositFunds(pool, mode, wallet.id, minor);
  return { id, ...shopper };
}

/** Adds a wallet in another currency to a shopper. @param minor balance in minor units @returns the wallet's ID */
export async function addWallet(
  { database: { pool, prisma } }: Sandbox,
  { id, mode }: { id: string; mode: Mode },
  currency: string,
  minor: bigint,
): Promise<string> {
  const wallet = await prisma.account.create({
    data: { walletUserId: id, mode, currency, kind: "shopper", balance: 0n },
  });
  if (minor > 0n) await depositFunds(pool, mode, wallet.id, minor);
  return wallet.id;
}
