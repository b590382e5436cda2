import { existsSync } from "node:fs";
import path from "node:path";
import { type Addresses, STORE_ID } from "./addresses.js";
import type { DatabaseUrls } from "./databases.js";
import { pickInheritedSettings, type ServiceName } from "./inherited-settings.js";
import type { Ports } from "./ports.js";
import type { SandboxMerchant } from "./sandbox.js";
import type { Secrets } from "./secrets.js";
import type { ServiceDefinition } from "./service-process.js";
import { StackError } from "./stack-error.js";

/** Entry points of the services, relative to the project's root. */
export const serviceEntries: Record<ServiceName, string> = {
  api: "apps/api/dist/main.js",
  pay: "apps/pay/.next/standalone/apps/pay/server.js",
  dashboard: "apps/dashboard/.next/standalone/apps/dashboard/server.js",
  store: "apps/store/dist/main.js",
  connector: "plugin/connector/dist/main.js",
};

/** @throws StackError that names the missing files, if a service is not built. */
export function rejectUnbuilt(names: readonly ServiceName[], root: string): void {
  const missing = names
    .map((name) => serviceEntries[name])
    .filter((entry) => !existsSync(path.join(root, entry)));
  if (missing.length === 0) return;
  throw new StackError(`Not built yet: ${missing.join(", ")}. Run npm run build.`);
}

export type ServiceOptions = {
  root: string;
  ports: Ports;
  addresses: Addresses;
  databaseUrls: DatabaseUrls;
  secrets: Secrets;
  /** Folder in which all e-mails are stored, because the sandbox sends none. */
  mailFolder: string;
  /** Host name for other devices; undefined: loopback only. */
  publicHost: string | undefined;
  merchant: SandboxMerchant;
  /** Environment of `npm start`; see {@link pickInheritedSettings}. */
  environment: NodeJS.ProcessEnv;
};

/** Defines the services. Each service gets only the secrets that it needs. */
export function defineServices(options: ServiceOptions): Record<ServiceName, ServiceDefinition> {
  const own = ownSettings(options);
  const managed = new Set(Object.values(own).flatMap((settings) => Object.keys(settings)));
  const define = (name: ServiceName, healthPaths: readonly string[]): ServiceDefinition => {
    return {
      name,
      entry: path.join(options.root, serviceEntries[name]),
      workingDirectory: options.root,
      environment: { ...pickInheritedSettings(name, options.environment, managed), ...own[name] },
      healthUrls: healthPaths.map((healthPath) => `${options.addresses.internal[name]}${healthPath}`),
    };
  };
  return {
    api: define("api", ["/healthz", "/readyz"]),
    pay: define("pay", ["/healthz"]),
    dashboard: define("dashboard", ["/healthz"]),
    store: define("store", ["/healthz"]),
    connector: define("connector", ["/healthz"]),
  };
}

function ownSettings(options: ServiceOptions): Record<ServiceName, Record<string, string>> {
  const { ports, addresses, databaseUrls, secrets, merchant, publicHost, mailFolder } = options;
  const common = { NODE_ENV: "production", HOST: addresses.listenHost };
  return {
    api: {
      ...common,
      PORT: String(ports.api),
      DATABASE_URL: databaseUrls.api,
      // Bypasses the connection pooler; empty: same as DATABASE_URL.
      DATABASE_DIRECT_URL: databaseUrls.apiDirect ?? "",
      TILLGATE_PAY_URL: addresses.public.pay,
      TILLGATE_INTERNAL_KEY: secrets.internal_key,
      TILLGATE_CONSOLE_KEY: secrets.console_key,
      TILLGATE_CONSOLE_URL: addresses.public.dashboard,
      TILLGATE_MAIL_FOLDER: mailFolder,
      TILLGATE_SANDBOX_SIGN_UP: "open",
      TILLGATE_ENCRYPTION_KEYS: secrets.encryption_keys,
      // The demo shop's connector is on this machine. Production rejects private addresses.
      TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow",
      TILLGATE_ROLE: "all",
      // Loopback is always allowed outside production.
      TILLGATE_HTTP_HOSTS: publicHost ?? "",
    },
    pay: {
      ...common,
      PORT: String(ports.pay),
      NEXT_TELEMETRY_DISABLED: "1",
      TILLGATE_API_URL: addresses.internal.api,
      TILLGATE_PAY_URL: addresses.public.pay,
      TILLGATE_HTTP_HOSTS: publicHost ?? "",
      TILLGATE_INTERNAL_KEY: secrets.internal_key,
    },
    dashboard: {
      ...common,
      PORT: String(ports.dashboard),
      NEXT_TELEMETRY_DISABLED: "1",
      TILLGATE_API_URL: addresses.internal.api,
      TILLGATE_API_PUBLIC_URL: addresses.public.api,
      TILLGATE_CONSOLE_URL: addresses.public.dashboard,
      TILLGATE_HTTP_HOSTS: publicHost ?? "",
      TILLGATE_CONSOLE_KEY: secrets.console_key,
    },
    store: {
      ...common,
      PORT: String(ports.store),
      STORE_DATABASE_URL: databaseUrls.store,
      STORE_URL: addresses.public.store,
      STORE_ID: STORE_ID,
      STORE_CONSUMER_KEY: secrets.store_consumer_key,
      STORE_CONSUMER_SECRET: secrets.store_consumer_secret,
      STORE_OWNER_PASSWORD: secrets.store_owner_password,
      CONNECTOR_URL: addresses.internal.connector,
      STORE_WEBHOOK_URL: `${addresses.public.connector}/v1/stores/${STORE_ID}/store-webhook`,
      STORE_WEBHOOK_SECRET: secrets.store_webhook_secret,
    },
    connector: {
      ...common,
      PORT: String(ports.connector),
      CONNECTOR_DATABASE_URL: databaseUrls.connector,
      CONNECTOR_URL: addresses.public.connector,
      CONNECTOR_HEALTH_KEY: secrets.connector_health_key,
      TILLGATE_API_URL: addresses.internal.api,
      CONNECTOR_STORES: JSON.stringify([
        {
          id: STORE_ID,
          url: addresses.internal.store,
          consumer_key: secrets.store_consumer_key,
          consumer_secret: secrets.store_consumer_secret,
          webhook_secret: secrets.store_webhook_secret,
          client_id: merchant.client_id,
          client_secret: merchant.client_secret,
          mode: "sandbox",
          return_url: `${addresses.public.store}/checkout/return?order={order_id}&key={order_key}`,
        },
      ]),
    },
  };
}
