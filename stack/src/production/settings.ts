import path from "node:path";
import { isLiveAddress } from "@tillgate/contract";
import {
  baseAddress,
  longText,
  matching,
  origin,
  readSettings,
  rulesFor,
  type SettingsTable,
  text,
  wholeNumber,
} from "@tillgate/service/settings";
import { highestBasePort, LOWEST_BASE_PORT } from "../ports.js";
import { stackSettings } from "../settings.js";

/** Settings file of `npm run up`. It may contain the services' own settings as well. */
export const upSettings = {
  /** `npm run up` always runs production. */
  environment: {
    name: "TILLGATE_ENVIRONMENT",
    kind: matching(/^production$/, "production; use npm start for a sandbox"),
    default: "production",
  },
  /** Database, secrets, certificate and logs. An absolute path. Back it up. */
  dataDirectory: { name: "TILLGATE_DATA_DIR", kind: matching(/^\//, "an absolute path") },
  /** Public address of the API. */
  apiUrl: { name: "TILLGATE_API_PUBLIC_URL", kind: origin },
  /** Public address of the payment page. */
  payUrl: { name: "TILLGATE_PAY_URL", kind: origin },
  /** Public address of the console. */
  consoleUrl: { name: "TILLGATE_CONSOLE_URL", kind: origin },
  /** Listen address for HTTPS and HTTP. */
  listenHost: { name: "TILLGATE_LISTEN_HOST", kind: text, default: "0.0.0.0" },
  /** HTTPS port. */
  httpsPort: { name: "TILLGATE_HTTPS_PORT", kind: wholeNumber(1, 65_535), default: 443 },
  /** HTTP port, for redirects to HTTPS and ACME challenges. */
  httpPort: { name: "TILLGATE_HTTP_PORT", kind: wholeNumber(1, 65_535), default: 80 },
  /** Your own certificate for the three hosts, with its chain (PEM). Reloaded when it changes. */
  certificateFile: {
    name: "TILLGATE_CERTIFICATE_FILE",
    kind: matching(/^\//, "an absolute path"),
    ifUnset: "issued by ACME",
  },
  /** Private key of that certificate (PEM). */
  certificateKeyFile: {
    name: "TILLGATE_CERTIFICATE_KEY_FILE",
    kind: matching(/^\//, "an absolute path"),
    ifUnset: "issued by ACME",
  },
  /** Contact for the certificate authority. By setting it you accept the authority's terms; certificates are then issued and renewed. */
  acmeEmail: {
    name: "TILLGATE_ACME_EMAIL",
    kind: longText(3, 254),
    ifUnset: "no ACME, your own certificate is required",
  },
  /** ACME directory of the certificate authority (RFC 8555). */
  acmeDirectory: {
    name: "TILLGATE_ACME_DIRECTORY",
    kind: baseAddress,
    default: "https://acme-v02.api.letsencrypt.org/directory",
  },
  /** First of the loopback ports that the services use internally: API, payment page, console, database and internal APIs. */
  basePort: {
    name: "TILLGATE_PORT",
    kind: wholeNumber(LOWEST_BASE_PORT, highestBasePort - 1),
    default: stackSettings.basePort.default,
  },
  /** Backup folder of the embedded PostgreSQL, ideally on another disk. Every commit is archived there within a minute. */
  backupFolder: {
    name: "TILLGATE_BACKUP_DIR",
    kind: matching(/^\//, "an absolute path"),
    ifUnset: "no backups",
  },
  /** Number of nightly backups to retain. */
  backupsKept: { name: "TILLGATE_BACKUPS_KEPT", kind: wholeNumber(1, 1_000), default: 7 },
  /** Your own PostgreSQL. */
  api: stackSettings.api,
  /** The same database without a connection pooler. */
  apiDirect: stackSettings.apiDirect,
  /** The same database, accessed as the role that owns and migrates the tables. */
  apiOwner: stackSettings.apiOwner,
} satisfies SettingsTable;

const HTTPS_ONLY = "must begin with https: production does not serve plain HTTP";
const rule = rulesFor(upSettings);
const rules = [
  ...(["apiUrl", "payUrl", "consoleUrl"] as const).map((name) =>
    rule([name], (settings) => !isLiveAddress(settings[name]) && HTTPS_ONLY),
  ),
  rule(
    ["consoleUrl", "apiUrl", "payUrl"],
    ({ apiUrl, payUrl, consoleUrl }) =>
      new Set([apiUrl, payUrl, consoleUrl].map((url) => new URL(url).hostname)).size < 3 &&
      "must have a different host: this setting, TILLGATE_API_PUBLIC_URL and TILLGATE_PAY_URL need three hosts",
  ),
  rule(
    ["certificateKeyFile", "certificateFile"],
    ({ certificateFile, certificateKeyFile }) =>
      (certificateFile === undefined) !== (certificateKeyFile === undefined) &&
      "and TILLGATE_CERTIFICATE_FILE must both be set, or neither",
  ),
  rule(
    ["backupFolder", "api"],
    ({ backupFolder, api }) =>
      backupFolder !== undefined &&
      api !== undefined &&
      "applies to the embedded PostgreSQL only: use your own backups for the one in DATABASE_URL",
  ),
  rule(
    ["acmeEmail", "certificateFile"],
    ({ acmeEmail, certificateFile }) =>
      (acmeEmail === undefined) === (certificateFile === undefined) &&
      "or TILLGATE_CERTIFICATE_FILE is required, but not both: production needs HTTPS",
  ),
];

export type UpSettings = ReturnType<typeof readUpSettings>;

/** @throws SettingsError naming every mistake. */
export function readUpSettings(environment: NodeJS.ProcessEnv) {
  const settings = readSettings(upSettings, environment, rules);
  return { ...settings, dataDirectory: path.normalize(settings.dataDirectory) };
}
