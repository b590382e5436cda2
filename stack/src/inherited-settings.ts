/** The services of the product, in the order they are shown. */
export const serviceNames = ["api", "pay", "dashboard", "store", "connector"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** What every program may need from the machine it runs on. */
const MACHINE_SETTINGS = new Set([
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

/** A service's own settings, by how their names begin. */
const OWN: Record<ServiceName, readonly string[]> = {
  api: ["TILLGATE_"],
  pay: ["TILLGATE_PAY_", "TILLGATE_API_"],
  dashboard: ["TILLGATE_CONSOLE_", "TILLGATE_API_"],
  store: ["STORE_"],
  connector: ["CONNECTOR_"],
};

/**
 * What a service takes over from the environment that `npm start` was called in: the machine's own variables and the
 * service's settings by name, and nothing else. A shell holds keys of many other things.
 * @param managed names that the stack sets for any service; no service inherits one.
 */
export function inheritedSettings(
  service: ServiceName,
  environment: NodeJS.ProcessEnv,
  managed: ReadonlySet<string>,
): Record<string, string> {
  const inherits = (name: string) =>
    !managed.has(name) &&
    (MACHINE_SETTINGS.has(name) || OWN[service].some((prefix) => name.startsWith(prefix)));
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && inherits(entry[0]),
    ),
  );
}
