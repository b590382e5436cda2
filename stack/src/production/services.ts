import path from "node:path";
import type { ApiDatabaseUrls } from "../databases.js";
import { pickInheritedSettings } from "../inherited-settings.js";
import type { Secrets } from "../secrets.js";
import type { ServiceDefinition } from "../service-process.js";
import { serviceEntries } from "../services.js";
import type { UpSettings } from "./settings.js";

export const productionServices = ["api", "pay", "dashboard"] as const;
type Name = (typeof productionServices)[number];

/** Returns the loopback ports, starting at the base port. */
export const getPorts = ({ basePort }: Pick<UpSettings, "basePort">) => ({
  api: basePort,
  pay: basePort + 1,
  dashboard: basePort + 2,
  postgresql: basePort + 5,
  /** The API's port for the payment page and the console. */
  internal: basePort + 6,
});

const LOOPBACK = "127.0.0.1";

export type ListenPort = {
  /** The setting that determines the port. */
  name: string;
  port: number;
  host: string;
};

export function listListenPorts(settings: UpSettings, environment: NodeJS.ProcessEnv): ListenPort[] {
  const { listenHost, httpsPort, httpPort, api: externalDatabase } = settings;
  const { postgresql, ...services } = getPorts(settings);
  const internal = Object.entries(externalDatabase === undefined ? { ...services, postgresql } : services);
  const metrics = Number(environment.TILLGATE_METRICS_PORT);
  return [
    { name: "TILLGATE_HTTPS_PORT", port: httpsPort, host: listenHost },
    { name: "TILLGATE_HTTP_PORT", port: httpPort, host: listenHost },
    ...internal.map(([name, port]) => ({ name: `TILLGATE_PORT (${name})`, port, host: LOOPBACK })),
    // The API checks the setting itself.
    ...(metrics > 0
      ? [
          {
            name: "TILLGATE_METRICS_PORT",
            port: metrics,
            host: environment.TILLGATE_METRICS_HOST || LOOPBACK,
          },
        ]
      : []),
  ];
}

/**
 * Defines the services. Each serves its requests on loopback (only the metrics port can have another host) and gets only the secrets that it needs.
 */
export function defineProductionServices(options: {
  root: string;
  settings: UpSettings;
  secrets: Secrets;
  databaseUrls: ApiDatabaseUrls;
  environment: NodeJS.ProcessEnv;
}): ServiceDefinition[] {
  const { root, settings, secrets, databaseUrls, environment } = options;
  const ports = getPorts(settings);
  const internalApi = `http://${LOOPBACK}:${ports.internal}`;
  const common = { NODE_ENV: "production", HOST: LOOPBACK };
  const site = { ...common, NEXT_TELEMETRY_DISABLED: "1", TILLGATE_API_URL: internalApi };
  const own: Record<Name, Record<string, string>> = {
    api: {
      ...common,
      PORT: String(ports.api),
      TILLGATE_ENVIRONMENT: "production",
      DATABASE_URL: databaseUrls.api,
      DATABASE_DIRECT_URL: databaseUrls.apiDirect ?? "",
      TILLGATE_PAY_URL: settings.payUrl,
      TILLGATE_CONSOLE_URL: settings.consoleUrl,
      TILLGATE_INTERNAL_HOST: LOOPBACK,
      TILLGATE_INTERNAL_PORT: String(ports.internal),
      TILLGATE_INTERNAL_KEY: secrets.internal_key,
      TILLGATE_CONSOLE_KEY: secrets.console_key,
      TILLGATE_ENCRYPTION_KEYS: secrets.encryption_keys,
      TILLGATE_TRUSTED_PROXIES: LOOPBACK,
      TILLGATE_ROLE: "all",
    },
    pay: {
      ...site,
      PORT: String(ports.pay),
      TILLGATE_PAY_URL: settings.payUrl,
      TILLGATE_PAY_PROXY_HOPS: "1",
      TILLGATE_INTERNAL_KEY: secrets.internal_key,
    },
    dashboard: {
      ...site,
      PORT: String(ports.dashboard),
      TILLGATE_API_PUBLIC_URL: settings.apiUrl,
      TILLGATE_CONSOLE_URL: settings.consoleUrl,
      TILLGATE_CONSOLE_PROXY_HOPS: "1",
      TILLGATE_CONSOLE_KEY: secrets.console_key,
    },
  };
  const managed = new Set(Object.values(own).flatMap((set) => Object.keys(set)));
  return productionServices.map((name) => ({
    name,
    entry: path.join(root, serviceEntries[name]),
    workingDirectory: root,
    environment: { ...pickInheritedSettings(name, environment, managed), ...own[name] },
    healthUrls: (name === "api" ? ["/healthz", "/readyz"] : ["/healthz"]).map(
      (healthPath) => `http://${LOOPBACK}:${ports[name]}${healthPath}`,
    ),
  }));
}

/** Returns the loopback URLs by public host name. */
export function getUpstreams(settings: UpSettings): Map<string, string> {
  const ports = getPorts(settings);
  const toUpstream = (url: string, port: number) =>
    [new URL(url).hostname, `http://${LOOPBACK}:${port}`] as const;
  return new Map([
    toUpstream(settings.apiUrl, ports.api),
    toUpstream(settings.payUrl, ports.pay),
    toUpstream(settings.consoleUrl, ports.dashboard),
  ]);
}
