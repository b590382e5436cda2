import path from "node:path";
import { isLiveAddress } from "@tillgate/contract";
import {
  baseAddress,
  longText,
  matching,
  origin,
  readSettings,
  rulesOf,
  type SettingsTable,
  text,
  wholeNumber,
} from "@tillgate/service/settings";
import { highestBasePort, LOWEST_BASE_PORT } from "../ports.js";
import { stackSettings } from "../settings.js";
import { StackError } from "../stack-error.js";

/** Settings file of `npm run up`. It may contain the services' own settings as well. */
export const upSettings = {
  /** Database, secrets, certificate and logs. An absolute path. Back it up. */
  dataDirectory: { name: "TILLGATE_DATA_DIR", kind: matching(/^\//, "an absolute path") },
  /** Public address of the api. */
  apiUrl: { name: "TILLGATE_API_PUBLIC_URL", kind: origin },
  /** Public address of the hosted page. */
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
    leftOut: "issued by ACME",
  },
  /** Private key of that certificate (PEM). */
  certificateKeyFile: {
    name: "TILLGATE_CERTIFICATE_KEY_FILE",
    kind: matching(/^\//, "an absolute path"),
    leftOut: "issued by ACME",
  },
  /** Contact for the certificate authority. Setting it accepts its terms; certificates are then issued and renewed. */
  acmeEmail: {
    name: "TILLGATE_ACME_EMAIL",
    kind: longText(3, 254),
    leftOut: "no ACME, your own certificate is required",
  },
  /** ACME directory of the certificate authority (RFC 8555). */
  acmeDirectory: {
    name: "TILLGATE_ACME_DIRECTORY",
    kind: baseAddress,
    default: "https://acme-v02.api.letsencrypt.org/directory",
  },
  /** First of the loopback ports between the services: api, hosted page, console, database and internal APIs. */
  basePort: {
    name: "TILLGATE_PORT",
    kind: wholeNumber(LOWEST_BASE_PORT, highestBasePort - 1),
    default: stackSettings.basePort.default,
  },
  /** Backup folder of the embedded PostgreSQL, ideally on another disk. Every commit is archived there within a minute. */
  backupFolder: {
    name: "TILLGATE_BACKUP_DIR",
    kind: matching(/^\//, "an absolute path"),
    leftOut: "no backups",
  },
  /** Number of nightly backups to retain. */
  backupsKept: { name: "TILLGATE_BACKUPS_KEPT", kind: wholeNumber(1, 1_000), default: 7 },
  /** Your own PostgreSQL. */
  api: stackSettings.api,
  /** The same database without a connection pooler. */
  apiDirect: stackSettings.apiDirect,
  /** The same database as the role that owns and migrates the tables. */
  apiOwner: stackSettings.apiOwner,
} satisfies SettingsTable;

const HTTPS_ONLY = "must begin with https: nothing is served in the clear";
const rule = rulesOf(upSettings);
const rules = [
  ...(["apiUrl", "payUrl", "consoleUrl"] as const).map((name) =>
    rule([name], (settings) => !isLiveAddress(settings[name]) && HTTPS_ONLY),
  ),
  rule(
    ["consoleUrl", "apiUrl", "payUrl"],
    ({ apiUrl, payUrl, consoleUrl }) =>
      new Set([apiUrl, payUrl, consoleUrl].map((url) => new URL(url).hostname)).size < 3 &&
      "must have another host than TILLGATE_API_PUBLIC_URL and TILLGATE_PAY_URL, which differ too",
  ),
  rule(
    ["certificateKeyFile", "certificateFile"],
    ({ certificateFile, certificateKeyFile }) =>
      (certificateFile === undefined) !== (certificateKeyFile === undefined) &&
      "goes with TILLGATE_CERTIFICATE_FILE: both or none",
  ),
  rule(
    ["backupFolder", "api"],
    ({ backupFolder, api }) =>
      backupFolder !== undefined &&
      api !== undefined &&
      "is for the embedded PostgreSQL: back up that of DATABASE_URL by its own means",
  ),
  rule(
    ["acmeEmail", "certificateFile"],
    ({ acmeEmail, certificateFile }) =>
      (acmeEmail === undefined) === (certificateFile === undefined) &&
      "or TILLGATE_CERTIFICATE_FILE is required, and not both: there is no production without HTTPS",
  ),
];

/** The settings of `npm run up`. */
export type UpSettings = ReturnType<typeof readUpSettings>;

/**
 * Reads what the file says.
 * @throws SettingsError naming every mistake. @throws StackError for a folder that `npm start` made.
 */
export function readUpSettings(environment: NodeJS.ProcessEnv) {
  const settings = readSettings(upSettings, environment, rules);
  if (environment.TILLGATE_ENVIRONMENT !== undefined && environment.TILLGATE_ENVIRONMENT !== "production")
    throw new StackError(
      "TILLGATE_ENVIRONMENT is production here; leave it out, or run npm start for a sandbox.",
    );
  return { ...settings, dataDirectory: path.normalize(settings.dataDirectory) };
}
