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
  /** Whether the database lives in the data directory. */
  embedded: boolean;
  secrets: Secrets;
  /** Of the demo shop: its pages may show payments of the sandbox. */
  shopOrigins: readonly string[];
  report: (line: string) => void;
};

/**
 * Seeds the sandbox of an empty database and remembers its sign-ins in `accounts.json` (0600), as the database
 * stores no secret in clear. Later starts read them there, under the name of their database: one data directory
 * may serve the embedded database today and one of DATABASE_URL tomorrow.
 *
 * @throws StackError when the database was seeded by somebody else, so that its sign-ins are not known here.
 */
export async function seedAccounts(options: SeedOptions): Promise<SandboxAccounts> {
  const { dataDirectory, databaseUrl, embedded, secrets, shopOrigins, report } = options;
  const file = path.join(dataDirectory, "accounts.json");
  const database = embedded ? "embedded" : nameOf(databaseUrl);
  const made = await seedSandbox({
    databaseUrl,
    keyring: parseKeyring(secrets.encryption_keys),
    shopOrigins,
  });
  const kept = (await readJsonObject(file)) ?? {};
  if (made !== null) {
    report("Seeded the sandbox.");
    await writePrivateJson(file, { ...kept, [database]: made });
    return made;
  }
  const accounts = kept[database];
  if (isAccounts(accounts)) return accounts;
  throw new StackError(
    `The database (${nameOf(databaseUrl)}) is seeded already, but ${file} does not know its sign-ins. ` +
      (embedded
        ? "Put that file back, or move the whole folder away to start over."
        : "Use the data directory (TILLGATE_DATA_DIR) that seeded it, or an empty database."),
  );
}

function nameOf(databaseUrl: string): string {
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
