import { parseKeyring } from "@tillgate/database";
import {
  baseAddress,
  either,
  hostNames,
  key,
  networks,
  readBy,
  type SettingsTable,
  text,
  wholeNumber,
} from "@tillgate/service/settings";

/** Who may call what, and from where. */
export const edges = {
  /** Public address of the hosted page; payment_url and QR start with it. In production https. */
  payUrl: { name: "TILLGATE_PAY_URL", kind: baseAddress, default: "http://localhost:4001" },
  /** Shared with the hosted page: its holder may use the checkout edge. */
  internalKey: { name: "TILLGATE_INTERNAL_KEY", kind: key, secret: true },
  /** Shared with the console: its holder may use the console edge. A key that the page does not know. */
  consoleKey: { name: "TILLGATE_CONSOLE_KEY", kind: key, leftOut: "there is no console edge", secret: true },
  /** Public address of the console; mailed links start with it. In production https. */
  consoleUrl: {
    name: "TILLGATE_CONSOLE_URL",
    kind: baseAddress,
    leftOut: "no links are mailed to console users",
  },
  /**
   * Whether anybody may make a sandbox account in the console, by a mailed link. `open` needs the console's address and a way to
   * mail. Live wallets are an administrator's to open all the same. `npm start` opens it.
   */
  sandboxSignUp: { name: "TILLGATE_SANDBOX_SIGN_UP", kind: either("open", "closed"), default: "closed" },
  /** Port of `/metrics`, for Prometheus. Nothing else is served there. */
  metricsPort: {
    name: "TILLGATE_METRICS_PORT",
    kind: wholeNumber(1, 65_535),
    leftOut: "there are no metrics",
  },
  /** Address of that port. */
  metricsHost: { name: "TILLGATE_METRICS_HOST", kind: text, default: "127.0.0.1" },
  /** Sent by Prometheus as a Bearer token. In production required where that address is not loopback. */
  metricsKey: {
    name: "TILLGATE_METRICS_KEY",
    kind: key,
    leftOut: "all who reach the port may read them",
    secret: true,
  },
  /** Separate address for the edges of the page and the console; needs the port. */
  internalHost: { name: "TILLGATE_INTERNAL_HOST", kind: text, leftOut: "`HOST`" },
  /** Separate port for the edges of the page and the console. */
  internalPort: {
    name: "TILLGATE_INTERNAL_PORT",
    kind: wholeNumber(1, 65_535),
    leftOut: "they listen with the others, where only their keys guard them",
  },
  /** Encrypts secrets at rest and signs form tokens; the current key first. */
  keyring: {
    name: "TILLGATE_ENCRYPTION_KEYS",
    kind: readBy("`<key id>:<base64 of 32 bytes>[,…]`", parseKeyring),
    secret: true,
  },
  /** Proxies whose X-Forwarded-* headers count. */
  trustedProxies: { name: "TILLGATE_TRUSTED_PROXIES", kind: networks, default: "" },
  /** Hosts beside loopback on which plain HTTP is accepted outside production. */
  httpHosts: { name: "TILLGATE_HTTP_HOSTS", kind: hostNames, default: "" },
} satisfies SettingsTable;
