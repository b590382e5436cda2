import { isLiveAddress } from "@tillgate/contract";
import {
  baseAddress,
  type Environment,
  host,
  logLevel,
  longText,
  networks,
  ratio,
  readBy,
  readSettings,
  rulesFor,
  type SettingsTable,
  wholeNumber,
} from "@tillgate/service/settings";
import { isRecordsUrl } from "./records/open-records.js";
import { isLive, stores, webAddress } from "./store-config.js";

export const MAX_BODY_BYTES = 64 * 1024;
/** A store webhook contains a complete order with all its lines. */
export const MAX_STORE_BODY_BYTES = 2 * 1024 * 1024;
export const SHUTDOWN_TIMEOUT_MS = 4_500;
export const SERVER_LIMITS = { requestMs: 20_000, maxHeaders: 100 };

export const connectorSettings = {
  host,
  /** Port to listen on; 0 selects a free port. */
  port: { name: "PORT", kind: wholeNumber(0, 65_535), default: 4004 },
  /** Maximum open connections. Further ones are closed immediately. */
  connections: { name: "CONNECTOR_CONNECTIONS", kind: wholeNumber(10, 100_000), default: 1_000 },
  /** Proxies whose X-Forwarded-For is trusted: one in front of the connector, and the shop's server if it forwards its shoppers' addresses. If empty, the header is ignored. */
  trustedProxies: { name: "CONNECTOR_TRUSTED_PROXIES", kind: networks, default: "" },
  /** Requests per minute from one IP address to the payment endpoints of all stores, across all processes. */
  requestsPerAddress: {
    name: "CONNECTOR_REQUESTS_PER_IP_ADDRESS",
    kind: wholeNumber(10, 1_000_000),
    default: 1_200,
  },
  /** Requests per minute from one IP address for one order. */
  requestsPerOrder: { name: "CONNECTOR_REQUESTS_PER_ORDER", kind: wholeNumber(10, 1_000_000), default: 60 },
  /** The connector's own PostgreSQL database, accessed as its owner, or a SQLite file. */
  databaseUrl: {
    name: "CONNECTOR_DATABASE_URL",
    kind: readBy("a postgresql:// URL or a file:/absolute/path", (text) =>
      isRecordsUrl(text) ? text : undefined,
    ),
    secret: true,
  },
  /** The connector's public address, which receives webhooks. HTTPS if a store is live. */
  url: { name: "CONNECTOR_URL", kind: webAddress },
  /** Address of the Tillgate API. HTTPS if a store is live. */
  apiUrl: { name: "TILLGATE_API_URL", kind: webAddress },
  /** The stores, with the fields below. */
  stores: { name: "CONNECTOR_STORES", kind: stores, secret: true },
  /** Seconds between two polls for missed changes. A change whose webhook was lost is applied within 5 minutes. */
  sweepSeconds: { name: "CONNECTOR_SWEEP_SECONDS", kind: wholeNumber(5, 240), default: 120 },
  /** Key of the health page and the metrics, as a bearer token or Basic password. */
  healthKey: {
    name: "CONNECTOR_HEALTH_KEY",
    kind: longText(32),
    ifUnset: "disabled",
    secret: true,
  },
  /** A collector of OpenTelemetry traces (OTLP over HTTP), such as `http://127.0.0.1:4318`. A payment is one trace, through Tillgate and back to the store. */
  traceCollector: { name: "CONNECTOR_TRACE_COLLECTOR", kind: baseAddress, ifUnset: "tracing is off" },
  /** Fraction of root traces to sample. */
  traceSampleRatio: { name: "CONNECTOR_TRACE_SAMPLE_RATIO", kind: ratio, default: 1 },
  logLevel,
} satisfies SettingsTable;

const rule = rulesFor(connectorSettings);
const rules = [
  ...(["apiUrl", "url"] as const).map((name) =>
    rule([name, "stores"], (settings) => {
      const live = settings.stores.find(isLive);
      return (
        live !== undefined && !isLiveAddress(settings[name]) && `must be https: the store ${live.id} is live`
      );
    }),
  ),
  rule(["stores"], (settings) => {
    const inTheClear = settings.stores.filter((store) => isLive(store) && !isLiveAddress(store.return_url));
    const names = inTheClear.map(({ id }) => id).join(", ");
    return names !== "" && `return_url must be https for a live store: ${names}`;
  }),
];

export type Config = ReturnType<typeof readConfig>;

/** Reads and validates all settings. @throws SettingsError listing all invalid settings, without secrets */
export const readConfig = (environment: Environment) => readSettings(connectorSettings, environment, rules);
