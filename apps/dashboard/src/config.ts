import {
  type Environment,
  host,
  hostNames,
  key,
  origin,
  plainHttpError,
  readSettings,
  rulesFor,
  type SettingsTable,
  traceCollector,
  traceSampleRatio,
  wholeNumber,
} from "@tillgate/service/settings";

export const dashboardSettings = {
  host,
  /** Port to listen on. */
  port: { name: "PORT", kind: wholeNumber(1, 65_535), default: 4002 },
  /** Public origin of the console. Forms from other origins are rejected; HTTPS turns on secure cookies and HSTS. */
  consoleOrigin: { name: "TILLGATE_CONSOLE_URL", kind: origin, default: "http://localhost:4002" },
  /** Hosts besides loopback that may serve the console over plain HTTP, to try it out on a local network. */
  httpHosts: { name: "TILLGATE_HTTP_HOSTS", kind: hostNames, default: "" },
  /** URL of the API, as seen from this server. */
  apiOrigin: { name: "TILLGATE_API_URL", kind: origin, default: "http://127.0.0.1:4000" },
  /** URL of the API for merchants, shown in code samples. */
  apiPublicOrigin: {
    name: "TILLGATE_API_PUBLIC_URL",
    kind: origin,
    ifUnset: "`TILLGATE_API_URL`",
  },
  /** Shared with the API, which trusts the user's address and session from this server only. Also signs form tokens. */
  consoleKey: { name: "TILLGATE_CONSOLE_KEY", kind: key, secret: true },
  /** Time limit of one API call, in milliseconds. After that the console reports that the service is unreachable. */
  apiTimeoutMs: { name: "TILLGATE_API_TIMEOUT_MS", kind: wholeNumber(100, 60_000), default: 10_000 },
  /** Number of reverse proxies in front that append to X-Forwarded-For. With 0 the header is ignored. */
  trustedProxies: { name: "TILLGATE_CONSOLE_PROXY_HOPS", kind: wholeNumber(0, 5), default: 0 },
  /** Maximum open connections of this process. Further ones are closed immediately. */
  maxConnections: {
    name: "TILLGATE_CONSOLE_MAX_CONNECTIONS",
    kind: wholeNumber(10, 1_000_000),
    default: 2_000,
  },
  /** Time limit for receiving a whole request, in milliseconds. Half of it applies to the headers. */
  requestTimeoutMs: {
    name: "TILLGATE_CONSOLE_REQUEST_TIMEOUT_MS",
    kind: wholeNumber(1_000, 300_000),
    default: 30_000,
  },
  traceCollector,
  traceSampleRatio,
} satisfies SettingsTable;

const rule = rulesFor(dashboardSettings);
const rules = [
  rule(["consoleOrigin", "httpHosts"], ({ consoleOrigin, httpHosts }) =>
    plainHttpError(consoleOrigin, httpHosts),
  ),
];

export type Config = ReturnType<typeof readConfig>;

/** Reads the settings. @throws SettingsError naming every invalid setting, but never its value */
export function readConfig(environment: Environment) {
  const settings = readSettings(dashboardSettings, environment, rules);
  /** Over HTTPS, cookies are `Secure` and their names start with `__Host-`. */
  const secure = settings.consoleOrigin.startsWith("https:");
  return { ...settings, secure, apiPublicOrigin: settings.apiPublicOrigin ?? settings.apiOrigin };
}

let current: Config | undefined;

/** Returns the settings, read once per process. `main.ts` has already validated them. */
export function config(): Config {
  current ??= readConfig(process.env);
  return current;
}
