import path from "node:path";
import { parseKeyring } from "@tillgate/database";
import { seedSandbox } from "@tillgate/database/seed";
import { readJsonObject, writePrivateJson } from "./private-file.js";
import type { SandboxAccounts, SandboxMerchant } from "./sandbox.js";
import type { Secrets } from "./secrets.js";
import { StackError } from "./stack-error.js";

type SeedOptions = {
  dataDirectory: string;
  databaseUrl: string;
  embedded: boolean;
  secrets: Secrets;
  /** Origins of the demo shop, whose pages may embed sandbox payments. */
  shopOrigins: readonly string[];
  report: (line: string) => void;
};

/**
 * Seeds the sandbox in an empty database, and stores its credentials, by database, in `accounts.json` (0600), because the database stores no secrets
 * in plain text. For a database that is already seeded, reads that file.
 * @throws StackError if the database is already seeded, but not from this data directory.
 */
export async function seedAccounts(options: SeedOptions): Promise<SandboxAccounts> {
  const { dataDirectory, databaseUrl, embedded, secrets, shopOrigins, report } = options;
  const file = path.join(dataDirectory, "accounts.json");
  const database = embedded ? "embedded" : databaseName(databaseUrl);
  const seeded = await seedSandbox({
    databaseUrl,
    keyring: parseKeyring(secrets.encryption_keys),
    shopOrigins,
  });
  const stored = (await readJsonObject(file)) ?? {};
  if (seeded !== null) {
    report("Seeded the sandbox.");
    await writePrivateJson(file, { ...stored, [database]: seeded });
    return seeded;
  }
  const accounts = stored[database];
  if (isAccounts(accounts)) return accounts;
  throw new StackError(
    `The database (${databaseName(databaseUrl)}) is already seeded, but ${file} does not contain its credentials. ` +
      (embedded
        ? "Restore that file, or move the whole folder away to start over."
        : "Use the data directory (TILLGATE_DATA_DIR) that seeded it, or an empty database."),
  );
}

function databaseName(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

function isAccounts(value: unknown): value is SandboxAccounts {
  return (
    isObject(value) &&
    isMerchant(value.merchant) &&
    isMerchant(value.other_merchant) &&
    Array.isArray(value.shoppers) &&
    isObject(value.administrator) &&
    isObject(value.merchant_user)
  );
}

function isMerchant(value: unknown): value is SandboxMerchant {
  return (
    isObject(value) &&
    ["name", "client_id", "client_secret", "api_token"].every((key) => typeof value[key] === "string")
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
