import {
  type Environment,
  host,
  hostNames,
  key,
  origin,
  pageAddress,
  plainHttpError,
  readSettings,
  rulesFor,
  type SettingsTable,
  traceCollector,
  traceSampleRatio,
  wholeNumber,
} from "@tillgate/service/settings";

export const paySettings = {
  host,
  /** Port to listen on. */
  port: { name: "PORT", kind: wholeNumber(1, 65_535), default: 4001 },
  /** Public origin of the page. Forms from other origins are rejected; HTTPS turns on secure cookies and HSTS. */
  payOrigin: { name: "TILLGATE_PAY_URL", kind: origin, default: "http://localhost:4001" },
  /** Hosts besides loopback that may serve the page over plain HTTP, to try it out on a local network. */
  httpHosts: { name: "TILLGATE_HTTP_HOSTS", kind: hostNames, default: "" },
  /** The operator's terms of use, linked in the footer. */
  termsAddress: { name: "TILLGATE_PAY_TERMS_URL", kind: pageAddress, ifUnset: "no link" },
  /** The operator's privacy policy, linked in the footer. */
  privacyAddress: { name: "TILLGATE_PAY_PRIVACY_URL", kind: pageAddress, ifUnset: "no link" },
  /** URL of the API, as seen from this server. */
  apiOrigin: { name: "TILLGATE_API_URL", kind: origin, default: "http://127.0.0.1:4000" },
  /** Shared with the API, which trusts the shopper's address and session from this server only. */
  internalKey: { name: "TILLGATE_INTERNAL_KEY", kind: key, secret: true },
  /** Time limit of one API call, in milliseconds. After that the page reports that the service is unreachable. */
  apiTimeoutMs: { name: "TILLGATE_API_TIMEOUT_MS", kind: wholeNumber(100, 60_000), default: 5_000 },
  /** Number of reverse proxies in front that append to X-Forwarded-For. With 0 the header is ignored. */
  trustedProxies: { name: "TILLGATE_PAY_PROXY_HOPS", kind: wholeNumber(0, 5), default: 0 },
  /** Maximum live status streams in this process. Further pages poll instead. */
  maxStreams: { name: "TILLGATE_PAY_MAX_STREAMS", kind: wholeNumber(0, 100_000), default: 2_000 },
  /** Maximum open connections of this process. Further ones are closed immediately. */
  maxConnections: { name: "TILLGATE_PAY_MAX_CONNECTIONS", kind: wholeNumber(10, 1_000_000), default: 10_000 },
  /** Time limit for receiving a whole request, in milliseconds. Half of it applies to the headers. */
  requestTimeoutMs: {
    name: "TILLGATE_PAY_REQUEST_TIMEOUT_MS",
    kind: wholeNumber(1_000, 300_000),
    default: 30_000,
  },
  traceCollector,
  traceSampleRatio,
} satisfies SettingsTable;

const rule = rulesFor(paySettings);
const rules = [
  rule(["payOrigin", "httpHosts"], ({ payOrigin, httpHosts }) => plainHttpError(payOrigin, httpHosts)),
];

export type Config = ReturnType<typeof readConfig>;

/** Reads the settings. @throws SettingsError naming every invalid setting, but never its value */
export function readConfig(environment: Environment) {
  const settings = readSettings(paySettings, environment, rules);
  /** Over HTTPS, cookies are `Secure`, and their names start with `__Host-` or `__Secure-`. */
  const secure = settings.payOrigin.startsWith("https:");
  return { ...settings, secure };
}

let current: Config | undefined;

/** Returns the settings, read once per process. `main.ts` has already validated them. */
export function config(): Config {
  current ??= readConfig(process.env);
  return current;
}
