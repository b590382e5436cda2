import { randomBytes } from "node:crypto";
import { oneRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Database } from "./database.js";

const secretSchema = z.object({ value: z.instanceof(Buffer) });

/** A random key of the shop, made at its first use and the same ever after. */
export async function shopSecret(database: Database, name: string): Promise<Buffer> {
  const { value } = await oneRowOf(
    database,
    secretSchema,
    `INSERT INTO shop_secret (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = shop_secret.value RETURNING value`,
    [name, randomBytes(32)],
  );
  return value;
}
