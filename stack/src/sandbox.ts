import path from "node:path";
import { type Addresses, STORE_ID } from "./addresses.js";
import { writePrivateJson } from "./private-file.js";
import type { Secrets } from "./secrets.js";

export type SandboxMerchant = { name: string; client_id: string; client_secret: string; api_token: string };

export type SandboxShopper = {
  name: string;
  phone: string;
  email: string;
  pin: string;
  currencies: string[];
  /** False for a shopper who cannot sign in. */
  active: boolean;
};

export type SandboxAccounts = {
  merchant: SandboxMerchant;
  other_merchant: SandboxMerchant;
  shoppers: SandboxShopper[];
  administrator: { email: string; password: string };
  second_administrator: { email: string; password: string };
  merchant_user: { email: string; password: string };
};

export type Sandbox = SandboxAccounts & {
  api: string;
  pay: string;
  dashboard: string;
  /** Folder in which all e-mails are stored, because the sandbox sends none. */
  mail_folder: string;
  store: string;
  connector: string;
  /** The API's database. */
  database_url: string;
  /** The demo shop's REST key. */
  store_keys: { consumer_key: string; consumer_secret: string };
  store_owner: { password: string };
  /** Page with basic authentication: any user name, and the key as the password. */
  connector_health: { address: string; key: string };
};

type DescribeOptions = {
  addresses: Addresses;
  databaseUrl: string;
  secrets: Secrets;
  accounts: SandboxAccounts;
  mailFolder: string;
};

export function describeSandbox(options: DescribeOptions): Sandbox {
  const { addresses, databaseUrl, secrets, accounts, mailFolder } = options;
  const { api, pay, dashboard, store, connector } = addresses.public;
  return {
    api,
    pay,
    dashboard,
    mail_folder: mailFolder,
    store,
    connector,
    database_url: databaseUrl,
    merchant: accounts.merchant,
    other_merchant: accounts.other_merchant,
    shoppers: accounts.shoppers,
    administrator: accounts.administrator,
    second_administrator: accounts.second_administrator,
    merchant_user: accounts.merchant_user,
    store_keys: { consumer_key: secrets.store_consumer_key, consumer_secret: secrets.store_consumer_secret },
    store_owner: { password: secrets.store_owner_password },
    connector_health: { address: `${connector}/health/${STORE_ID}`, key: secrets.connector_health_key },
  };
}

export function sandboxFile(dataDirectory: string): string {
  return path.join(dataDirectory, "sandbox.json");
}

/** Stores the API's settings, so that commands (`npm run admin`) apply the same rules as the running system. */
export async function writeApiSettings(
  dataDirectory: string,
  settings: Record<string, string>,
): Promise<void> {
  const own = Object.entries(settings).filter(([name]) => /^(TILLGATE_|DATABASE_)/.test(name));
  await writePrivateJson(path.join(dataDirectory, "api-settings.json"), Object.fromEntries(own));
}

export async function writeSandbox(dataDirectory: string, sandbox: Sandbox): Promise<void> {
  await writePrivateJson(sandboxFile(dataDirectory), sandbox);
}
