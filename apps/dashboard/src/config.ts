import {
  type Environment,
  host,
  hostNames,
  key,
  origin,
  readSettings,
  refusePlainHttp,
  rulesOf,
  type SettingsTable,
  wholeNumber,
} from "@tillgate/service/settings";

/** Every setting of the console. */
export const dashboardSettings = {
  host,
  /** Port to listen on. */
  port: { name: "PORT", kind: wholeNumber(1, 65_535), default: 4002 },
  /** The console's own public origin: forms from any other are refused, and https turns on secure cookies and HSTS. */
  consoleOrigin: { name: "TILLGATE_CONSOLE_URL", kind: origin, default: "http://localhost:4002" },
  /** Hosts beside loopback on which the console may be served over plain http: for trying it out on one's own network. */
  httpHosts: { name: "TILLGATE_HTTP_HOSTS", kind: hostNames, default: "" },
  /** Where this server reaches the api. */
  apiOrigin: { name: "TILLGATE_API_URL", kind: origin, default: "http://127.0.0.1:4000" },
  /** Where merchants' programs reach the api: in the lines that they paste. */
  apiPublicOrigin: {
    name: "TILLGATE_API_PUBLIC_URL",
    kind: origin,
    leftOut: "`TILLGATE_API_URL`",
  },
  /** Shared with the api: it trusts the user's address and session from this key alone. Form tokens are made with it too. */
  consoleKey: { name: "TILLGATE_CONSOLE_KEY", kind: key, secret: true },
  /** How long one call of the api may take before the console says that it is unreachable, in milliseconds. */
  apiTimeoutMs: { name: "TILLGATE_API_TIMEOUT_MS", kind: wholeNumber(100, 60_000), default: 10_000 },
  /** Reverse proxies in front of this server that append to X-Forwarded-For; 0 trusts that header from nobody. */
  trustedProxies: { name: "TILLGATE_CONSOLE_PROXY_HOPS", kind: wholeNumber(0, 5), default: 0 },
  /** Connections open at once in this process; more are closed as they come. */
  maxConnections: {
    name: "TILLGATE_CONSOLE_MAX_CONNECTIONS",
    kind: wholeNumber(10, 1_000_000),
    default: 2_000,
  },
  /** How long a browser may take to send one whole request, in milliseconds; half of it for the head. */
  requestTimeoutMs: {
    name: "TILLGATE_CONSOLE_REQUEST_TIMEOUT_MS",
    kind: wholeNumber(1_000, 300_000),
    default: 30_000,
  },
} satisfies SettingsTable;

const rule = rulesOf(dashboardSettings);
const rules = [
  rule(["consoleOrigin", "httpHosts"], ({ consoleOrigin, httpHosts }) =>
    refusePlainHttp(consoleOrigin, httpHosts),
  ),
];

export type Config = ReturnType<typeof readConfig>;

/** Reads the settings. @throws SettingsError naming every bad setting, never its value. */
export function readConfig(environment: Environment) {
  const settings = readSettings(dashboardSettings, environment, rules);
  /** Served under https: cookies are `Secure` and carry the `__Host-` prefix. */
  const secure = settings.consoleOrigin.startsWith("https:");
  return { ...settings, secure, apiPublicOrigin: settings.apiPublicOrigin ?? settings.apiOrigin };
}

let current: Config | undefined;

/** The settings of this process, read once at the first request (main.ts has checked them before). */
export function config(): Config {
  current ??= readConfig(process.env);
  return current;
}
