import { randomBytes } from "node:crypto";
import path from "node:path";
import { readJsonObject, writePrivateJson } from "./private-file.js";

/** Created once per data directory and stored in `secrets.json` (0600). */
export type Secrets = {
  /** Shared by the API and the payment page. */
  internal_key: string;
  /** Shared by the API and the console. */
  console_key: string;
  /** "<key id>:<32 bytes in base64>". Without these keys, the secrets stored in the database are lost. */
  encryption_keys: string;
  /** The demo shop's REST key, in WooCommerce's format. */
  store_consumer_key: string;
  store_consumer_secret: string;
  store_owner_password: string;
  /** Signs the demo shop's webhooks to the connector. */
  store_webhook_secret: string;
  /** Password of the connector's health page and metrics. */
  connector_health_key: string;
  /** Password of the role that owns and migrates the API's tables; no service gets it. */
  database_password: string;
  /** Password of the API's own role. */
  api_database_password: string;
  store_database_password: string;
  connector_database_password: string;
};

const generators: { [Name in keyof Secrets]: () => string } = {
  internal_key: () => randomBytes(32).toString("base64url"),
  console_key: () => randomBytes(32).toString("base64url"),
  encryption_keys: () => `k1:${randomBytes(32).toString("base64")}`,
  store_consumer_key: () => `ck_${randomBytes(20).toString("hex")}`,
  store_consumer_secret: () => `cs_${randomBytes(20).toString("hex")}`,
  store_owner_password: () => randomBytes(12).toString("base64url"),
  store_webhook_secret: () => randomBytes(32).toString("base64url"),
  connector_health_key: () => randomBytes(32).toString("base64url"),
  database_password: () => randomBytes(24).toString("base64url"),
  api_database_password: () => randomBytes(24).toString("base64url"),
  store_database_password: () => randomBytes(24).toString("base64url"),
  connector_database_password: () => randomBytes(24).toString("base64url"),
};

/** Reads the secrets, and creates and stores missing or empty ones. @throws StackError if the file is damaged. */
export async function loadSecrets(dataDirectory: string): Promise<Secrets> {
  const file = path.join(dataDirectory, "secrets.json");
  const stored = (await readJsonObject(file)) ?? {};
  const usable = Object.entries(stored).filter(([, value]) => typeof value === "string" && value !== "");
  const secrets = { ...generateSecrets(), ...Object.fromEntries(usable) };
  const names = usable.map(([name]) => name);
  if (Object.keys(generators).some((name) => !names.includes(name))) await writePrivateJson(file, secrets);
  return secrets;
}

export function generateSecrets(): Secrets {
  const entries = Object.entries(generators).map(([name, generate]) => [name, generate()]);
  return Object.fromEntries(entries);
}
