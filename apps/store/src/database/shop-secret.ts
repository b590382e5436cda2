import { randomBytes } from "node:crypto";
import { type Database, oneRow } from "./database.js";

/** A random key of the shop, made at its first use and the same ever after. */
export async function shopSecret(database: Database, name: string): Promise<Buffer> {
  const { value } = await oneRow<{ value: Buffer }>(
    database,
    `INSERT INTO shop_secret (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = shop_secret.value RETURNING value`,
    [name, randomBytes(32)],
  );
  return value;
}
