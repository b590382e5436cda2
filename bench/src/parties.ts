import { randomBytes, randomUUID } from "node:crypto";
import { generateSecret, hashSecret, type Keyring, seal } from "@tillgate/database";
import type pg from "pg";

/** Opening balance of a wallet in cents, enough for any run. */
const OPENING_MINOR = 1_000_000_000_000n;

export type BenchMerchant = {
  id: string;
  credentialId: string;
  clientId: string;
  clientSecret: string;
  apiToken: string;
  walletId: string;
};

export type BenchShopper = { id: string; email: string; walletId: string };

export async function addMerchants(pool: pg.Pool, keyring: Keyring, count: number): Promise<BenchMerchant[]> {
  const merchants: BenchMerchant[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = randomUUID();
    const clientId = `tg_sandbox_${randomBytes(12).toString("hex")}`;
    const clientSecret = generateSecret("tgs_");
    const apiToken = generateSecret("tgt_");
    await pool.query("INSERT INTO merchants (id, name, partner_api_enabled) VALUES ($1, $2, true)", [
      id,
      `Bench merchant ${number}`,
    ]);
    const credentialId = randomUUID();
    const sealed = seal(keyring, credentialId, clientSecret);
    await pool.query(
      `INSERT INTO credentials (id, merchant_id, mode, kind, client_id, secret_hash, secret_ciphertext, encryption_key_id)
       VALUES ($1, $2, 'sandbox', 'client', $3, $4, $5, $6)`,
      [credentialId, id, clientId, hashSecret(clientSecret), sealed.ciphertext, sealed.keyId],
    );
    await pool.query(
      "INSERT INTO credentials (id, merchant_id, mode, kind, secret_hash) VALUES ($1, $2, 'sandbox', 'api_token', $3)",
      [randomUUID(), id, hashSecret(apiToken)],
    );
    await pool.query(
      "INSERT INTO payout_terms (merchant_id, mode, currency, authorized) VALUES ($1, 'sandbox', 'EUR', true)",
      [id],
    );
    const walletId = await openWallet(pool, "merchant_id", id, "merchant");
    merchants.push({ id, credentialId, clientId, clientSecret, apiToken, walletId });
  }
  return merchants;
}

/** Adds wallet users, each with a funded EUR wallet and no usable PIN. */
export async function addShoppers(pool: pg.Pool, count: number): Promise<BenchShopper[]> {
  const shoppers: BenchShopper[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = randomUUID();
    const email = `bench-${id}@example.com`;
    await pool.query("INSERT INTO wallet_users (id, mode, name, email) VALUES ($1, 'sandbox', $2, $3)", [
      id,
      `Bench shopper ${number}`,
      email,
    ]);
    shoppers.push({ id, email, walletId: await openWallet(pool, "wallet_user_id", id, "shopper") });
  }
  return shoppers;
}

/** Creates a wallet session without hashing a PIN. @returns the session token. */
export async function signInShopper(pool: pg.Pool, { id }: BenchShopper, orderId: string): Promise<string> {
  const session = generateSecret("tgw_");
  await pool.query(
    `INSERT INTO wallet_sessions (id, mode, wallet_user_id, token_hash, expires_at, pin_order_id)
     VALUES ($1, 'sandbox', $2, $3, clock_timestamp() + interval '1 hour', $4)`,
    [randomUUID(), id, hashSecret(session), orderId],
  );
  return session;
}

/** Opens and funds a wallet in another currency for a shopper. @returns its account ID. */
export const openShopperWallet = (pool: pg.Pool, { id }: BenchShopper, currency: string): Promise<string> =>
  openWallet(pool, "wallet_user_id", id, "shopper", currency);

async function openWallet(
  pool: pg.Pool,
  ownerColumn: "merchant_id" | "wallet_user_id",
  ownerId: string,
  kind: "merchant" | "shopper",
  currency = "EUR",
): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `INSERT INTO accounts (id, ${ownerColumn}, mode, currency, kind, balance) VALUES ($1, $2, 'sandbox', $3, $4, 0)`,
    [id, ownerId, currency, kind],
  );
  await pool.query(
    `SELECT move_between_wallets($1, 'sandbox', 'deposit', $5,
       (SELECT id FROM accounts WHERE mode = 'sandbox' AND currency = $5 AND kind = 'funding'), $2, $3, $4)`,
    [randomUUID(), id, OPENING_MINOR, `bench ${id}`, currency],
  );
  return id;
}
