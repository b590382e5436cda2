/** Names of the services, in display order. */
export const serviceNames = ["api", "pay", "dashboard", "store", "connector"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Variables of the machine that every service may need. */
export const MACHINE_SETTINGS: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "TMPDIR",
  "TZ",
  "LANG",
  "LC_ALL",
  "NODE_OPTIONS",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "LOG_LEVEL",
]);

const PREFIXES: Record<ServiceName, readonly string[]> = {
  api: ["TILLGATE_"],
  pay: ["TILLGATE_PAY_", "TILLGATE_API_", "TILLGATE_TRACE"],
  dashboard: ["TILLGATE_CONSOLE_", "TILLGATE_API_", "TILLGATE_TRACE"],
  store: ["STORE_"],
  connector: ["CONNECTOR_"],
};

/**
 * Returns only the variables that the service may need, because a shell often contains unrelated credentials. Variables in `managed` are not
 * inherited.
 */
export function pickInheritedSettings(
  service: ServiceName,
  environment: NodeJS.ProcessEnv,
  managed: ReadonlySet<string>,
): Record<string, string> {
  const inherits = (name: string) =>
    !managed.has(name) &&
    (MACHINE_SETTINGS.has(name) || PREFIXES[service].some((prefix) => name.startsWith(prefix)));
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && inherits(entry[0]),
    ),
  );
}
