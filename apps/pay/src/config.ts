import {
  type Environment,
  host,
  hostNames,
  key,
  origin,
  pageAddress,
  readSettings,
  refusePlainHttp,
  rulesOf,
  type SettingsTable,
  wholeNumber,
} from "@tillgate/service/settings";

/** Every setting of the page. */
export const paySettings = {
  host,
  /** Port to listen on. */
  port: { name: "PORT", kind: wholeNumber(1, 65_535), default: 4001 },
  /** The page's own public origin: forms from any other are refused, and https turns on secure cookies and HSTS. */
  payOrigin: { name: "TILLGATE_PAY_URL", kind: origin, default: "http://localhost:4001" },
  /** Hosts beside loopback on which the page may be served over plain http: for trying it out on one's own network. */
  httpHosts: { name: "TILLGATE_HTTP_HOSTS", kind: hostNames, default: "" },
  /** The operator's terms of use, at the foot of every page. */
  termsAddress: { name: "TILLGATE_PAY_TERMS_URL", kind: pageAddress, leftOut: "no page links any" },
  /** The operator's privacy policy, at the foot of every page. */
  privacyAddress: { name: "TILLGATE_PAY_PRIVACY_URL", kind: pageAddress, leftOut: "no page links any" },
  /** Where this server reaches the api. */
  apiOrigin: { name: "TILLGATE_API_URL", kind: origin, default: "http://127.0.0.1:4000" },
  /** Shared with the api: it trusts the shopper's address and session from this key alone. */
  internalKey: { name: "TILLGATE_INTERNAL_KEY", kind: key, secret: true },
  /** How long one call of the api may take before the page says that it is unreachable, in milliseconds. */
  apiTimeoutMs: { name: "TILLGATE_API_TIMEOUT_MS", kind: wholeNumber(100, 60_000), default: 5_000 },
  /** Reverse proxies in front of this server that append to X-Forwarded-For; 0 trusts that header from nobody. */
  trustedProxies: { name: "TILLGATE_PAY_PROXY_HOPS", kind: wholeNumber(0, 5), default: 0 },
  /** Live status streams open at once in this process; pages beyond that poll instead. */
  maxStreams: { name: "TILLGATE_PAY_MAX_STREAMS", kind: wholeNumber(0, 100_000), default: 2_000 },
  /** Connections open at once in this process; more are closed as they come. */
  maxConnections: { name: "TILLGATE_PAY_MAX_CONNECTIONS", kind: wholeNumber(10, 1_000_000), default: 10_000 },
  /** How long a browser may take to send one whole request, in milliseconds; half of it for the head. */
  requestTimeoutMs: {
    name: "TILLGATE_PAY_REQUEST_TIMEOUT_MS",
    kind: wholeNumber(1_000, 300_000),
    default: 30_000,
  },
} satisfies SettingsTable;

const rule = rulesOf(paySettings);
const rules = [
  rule(["payOrigin", "httpHosts"], ({ payOrigin, httpHosts }) => refusePlainHttp(payOrigin, httpHosts)),
];

export type Config = ReturnType<typeof readConfig>;

/** Reads the settings. @throws SettingsError naming every bad setting, never its value. */
export function readConfig(environment: Environment) {
  const settings = readSettings(paySettings, environment, rules);
  /** Served under https: cookies are `Secure` and carry the `__Host-` prefix. */
  const secure = settings.payOrigin.startsWith("https:");
  return { ...settings, secure };
}

let current: Config | undefined;

/** The settings of this process, read once at the first request (main.ts has checked them before). */
export function config(): Config {
  current ??= readConfig(process.env);
  return current;
}
